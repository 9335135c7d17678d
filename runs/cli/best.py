"""`isoplane best`: the best known designs."""

from collections.abc import Iterator
from importlib import resources
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.runs.records import Record, read_record
from isoplane.search import relative_gap

from . import codes
from .setup import FAMILIES, group, plain
from .table import columns, number


def best_records(family: str = "*", n: int | str = "*", objective: str = "*") -> Iterator[Record]:
    """Yield the records that the package ships, in the order of their file names, which tell what they are about."""
    with resources.as_file(resources.files("isoplane.runs") / "best") as folder:
        for path in sorted(folder.glob(f"{family}-n{n}-{objective}-*.json")):
            yield read_record(path)


def run(config: DictConfig) -> int:
    """Print the best known designs, published values beside them; the designs of fronts only when asked for.

    Raises
    ------
    InputError
        If a filter is no family or dimension, or nothing passes it.
    """
    wanted = plain(config)
    wanted["objective"] = group(wanted, "objective")["name"] if "objective" in wanted else None
    if wanted["n"] is not None:
        check_int("n", wanted["n"], 2, 16)
    if wanted["family"] is not None and wanted["family"] not in FAMILIES:
        raise InputError(f"family={wanted['family']!r}: allowed are {', '.join(FAMILIES)}")
    records = [record for record in best_records(**_named(wanted)) if _wanted(record, wanted)]
    if not records:
        known = sorted({record["objective"] for record in best_records(n=8)})
        asked = ", ".join(f"{key}={value}" for key, value in wanted.items() if value is not None) or "best"
        raise InputError(f"{asked}: no such record; allowed are n from 2 to 16 and the objectives {', '.join(known)}")
    records.sort(key=_place)
    print(columns([_HEADER, *(_row(record) for record in records)]))
    return codes.DONE


_HEADER = [
    "family",
    "objective",
    "n",
    "aspl",
    "max_traffic",
    "delay_ns",
    "delay_paper_ns",
    "cost_usd_per_node",
    "status",
    "gap",
    "published",
    "plane 1",
]


def _named(wanted: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in wanted.items() if key in ("family", "n", "objective") and value is not None}


def _place(record: Record) -> tuple[Any, ...]:
    """Return what orders the rows: designs of one front by their first metric."""
    network = record["network"]
    front = record["objective"] == "front"
    metric = record["score_names"][0].partition("*")[0]
    along = (metric, record["metrics"][_PRINTED.get(metric, metric)]) if front else ()
    return (FAMILIES.index(network["family"]), record["objective"], network["n"], *along)


# What records call the metrics that may span a front.
_PRINTED = {
    "cable_length": "cable_length_m",
    "delay": "delay_ns",
    "delay_paper": "delay_paper_ns",
    "cost": "cost_usd_per_node",
}


def _wanted(record: Record, wanted: dict[str, Any]) -> bool:
    network = record["network"]
    if record["objective"] == "front" and wanted["objective"] != "front":
        return False
    return all(
        wanted[key] is None or wanted[key] == value
        for key, value in (("n", network["n"]), ("family", network["family"]), ("objective", record["objective"]))
    )


def _row(record: Record) -> list[str]:
    network, metrics = record["network"], record["metrics"]
    names = ("aspl", "max_traffic", "delay_ns", "delay_paper_ns", "cost_usd_per_node")
    return [
        network["family"],
        record["objective"],
        str(network["n"]),
        *(number(metrics[name]) for name in names),
        record["status"],
        _gap(record),
        _published(record),
        " ".join(map(str, network["planes"][1]["generators"])),
    ]


def _gap(record: Record) -> str:
    """Return by how much of itself the first component of a score may exceed the best one."""
    gap = None if record["objective"] == "front" else relative_gap(record["score"], record["bound"])
    return "-" if gap is None else f"{100 * float(gap):.2f} %"


def _published(record: Record) -> str:
    """Return the published values of the paper's design for the same objective, if it states any."""
    from isoplane.runs.published import published_points

    suffix = {"aspl_and_traffic": "", "delay_paper_and_traffic": "-r"}.get(record["objective"])
    if suffix is None:
        return "-"
    network = record["network"]
    name = ("DI-FHC" if network["folded"] else "DI-HC") + suffix
    for point in published_points(network["folded"], network["n"]):
        if point.network == name:
            first = point.aspl if suffix == "" else point.delay_paper_ns
            return f"{number(first)} / {number(point.max_traffic)}"
    return "-"
