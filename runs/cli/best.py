"""`isoplane best`: the best known designs."""

from glob import escape
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.objectives import gap_text, relative_gaps
from isoplane.runs.config.config_values import given_words, group, plain
from isoplane.runs.records import Record, best_folder, component_statuses, shipped_record
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.table import columns, number


def run(config: DictConfig) -> int:
    """Print the best known designs next to published values; list designs on fronts only with objective=front."""
    filters = plain(config)
    for word in given_words():
        if word.startswith("objective.") and "=" in word:
            raise InputError(f"{word}: has no effect, because records are selected by name; expected objective=NAME")
    filters["objective"] = group(filters, "objective")["name"] if "objective" in filters else None
    if filters["n"] is not None:
        check_int("n", filters["n"], 2, 16)
    with best_folder() as folder:
        names = sorted({path.stem.partition("-")[0] for path in folder.glob("*.json")})
        if filters["family"] not in (None, *names):
            raise InputError(f"family={filters['family']!r}: expected {', '.join(names)}")
        records = [shipped_record(path) for path in _files(folder, filters)]
        objectives = sorted({_objective_of(path) for path in folder.glob("*.json")})
    if not records:
        query = ", ".join(f"{key}={value}" for key, value in filters.items() if value is not None) or "best"
        raise InputError(f"{query}: no such record; expected n from 2 to 16 and the objectives {', '.join(objectives)}")
    records.sort(key=_sort_key)
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


_FILTERS = ("family", "n", "objective")


def _files(folder: Path, filters: dict[str, Any]) -> list[Path]:
    # Escaped, so that a * in a filter is no pattern.
    family, n, objective = ("*" if filters[key] is None else escape(str(filters[key])) for key in _FILTERS)
    found = sorted(folder.glob(f"{family}-n{n}-{objective}-*.json"))
    return [path for path in found if filters["objective"] is not None or _objective_of(path) != "front"]


def _objective_of(path: Path) -> str:
    return path.stem.split("-")[2]


def _sort_key(record: Record) -> tuple[Any, ...]:
    """Return the sort key of a row; designs of a front are ordered by descending load."""
    network = record["network"]
    order_on_front = (record["score_names"], -record["metrics"]["max_load"]) if record["objective"] == "front" else ()
    return (network["folded"], record["objective"], network["n"], *order_on_front)


def _row(record: Record) -> list[str]:
    network, metrics = record["network"], record["metrics"]
    names = ("aspl", "max_traffic", "delay_ns", "delay_paper_ns", "cost_usd_per_node")
    return [
        network["family"],
        record["objective"],
        str(network["n"]),
        *(number(metrics[name]) for name in names),
        _status(record),
        _gap(record),
        _published_values(record),
        " ".join(map(str, network["planes"][1]["generators"])),
    ]


def _status(record: Record) -> str:
    """Return the proof status: one if it is the same for all components, else one per component."""
    if record["objective"] == "front":
        return "complete front" if record.get("front") == "complete" else str(record["status"])
    statuses = component_statuses(record["score"], record["bound"])
    return statuses[0] if len(set(statuses)) == 1 else " / ".join(statuses)


def _gap(record: Record) -> str:
    """Return the gap of every component of a score; none for designs of a front."""
    if record["objective"] == "front":
        return "-"
    return " / ".join(map(gap_text, relative_gaps(record["score"], record["bound"])))


def _published_values(record: Record) -> str:
    """Return the published values of the paper's design for the same objective, if the paper states any."""
    from isoplane.runs.published import published_designs

    suffix = {"aspl_and_traffic": "", "delay_paper_and_traffic": "-r"}.get(record["objective"])
    if suffix is None:
        return "-"
    network = record["network"]
    name = ("DI-FHC" if network["folded"] else "DI-HC") + suffix
    stated = published_designs(network["folded"], network["n"]).get(name)
    if stated is None:
        return "-"
    first, _ = stated.get("aspl" if suffix == "" else "delay_paper_ns", (None, 0.0))
    return f"{number(first)} / {number(stated['max_traffic'][0])}"
