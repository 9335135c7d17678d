"""`isoplane best`: the best known designs."""

from collections.abc import Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.search_variables import PlacesVariable
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.config.best_record import BEST
from isoplane.runs.config.config_values import given_words, group, plain
from isoplane.runs.records import PROOF, Record, best_folder, proof_fields, proof_status, shipped_record
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.design_table import units_of
from isoplane.runs.terminal.table import Table, number
from isoplane.runs.terminal.table_output import format_of, print_table


def run(config: DictConfig) -> int:
    """Print the best known designs next to published values; list designs on fronts only with objective=front."""
    filters = plain(config)
    kind = format_of(filters.pop("format"))
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
        records = _records(folder, filters)
        if not records:
            raise _no_such_record(folder, filters)
    records.sort(key=_sort_key)
    named = [_evaluating(record) for record in records if kind == "table" and record["objective"] != "front"]
    print_table(kind, _shown(records), _data(records), *named[:1])
    return codes.DONE


def _evaluating(record: Record) -> str:
    """Return the command that evaluates the design of a row, in a line: fronts have several by the same words."""
    network, group = record["network"], "network"
    words = [f"record={BEST}", f"network={network['family']}"]
    if _is_relabelled(record):
        group = "network.plane"
        words.append(f"network@{group}={network['plane']['family']}")
    words += [f"{group}.n={_cube(record)['n']}", f"objective={record['objective']}"]
    return f"first row, also for verify, export, simulate and check-cables: isoplane evaluate {' '.join(words)}"


_FILTERS = ("family", "n", "objective")
RELABELLED = "relabelled"  # cubes whose second plane is no basis; listed only by this name


def _records(folder: Path, filters: Mapping[str, Any]) -> list[Record]:
    # Escaped, so that a * in a filter is no pattern.
    family, n, objective = ("*" if filters[key] is None else escape(str(filters[key])) for key in _FILTERS)
    size = "*" if family == RELABELLED else f"n{n}"  # the names of relabelled planes have the number of nodes
    files = sorted(folder.glob(f"{family}-{size}-{objective}-*.json"))
    listed = [path for path in files if filters["objective"] is not None or _objective_of(path) != "front"]
    return [record for record in map(shipped_record, listed) if filters["n"] in (None, _cube(record)["n"])]


def _no_such_record(folder: Path, filters: Mapping[str, Any]) -> InputError:
    query = ", ".join(f"{key}={value}" for key, value in filters.items() if value is not None) or "best"
    sizes = [_cube(record)["n"] for record in _records(folder, {**filters, "n": None, "objective": None})]
    objectives = sorted({_objective_of(path) for path in folder.glob(f"{filters['family'] or '*'}-*.json")})
    expected = f"n from {min(sizes)} to {max(sizes)} and the objectives {', '.join(objectives)}"
    return InputError(f"{query}: no such record; expected {expected}")


def _cube(record: Record) -> dict[str, Any]:
    """Return the cube of a record: both planes, or the one of which plane 1 is a relabelling."""
    network: dict[str, Any] = record["network"]
    return network["plane"] if _is_relabelled(record) else network


def _is_relabelled(record: Record) -> bool:
    return bool(record["network"]["family"] == RELABELLED)


def _objective_of(path: Path) -> str:
    return path.stem.split("-")[2]


def _sort_key(record: Record) -> tuple[Any, ...]:
    """Return the sort key of a row; designs of a front are ordered by descending load."""
    cube = _cube(record)
    order_on_front = (record["score_names"], -record["metrics"]["max_load"]) if record["objective"] == "front" else ()
    return (cube["folded"], record["objective"], cube["n"], *order_on_front)


SHOWN = ("aspl", "max_traffic", "status", "delay_ns", "delay_paper_ns", "cost_usd_per_node", "published", "plane 1")
SHOWN_OF_RELABELLED = ("aspl", "max_traffic", "status", "delay_ns", "cost_usd_per_node")
TEXTS = ("family", "objective", "status")  # aligned to the left


def _shown(records: Sequence[Record]) -> Table:
    """Return the table for people."""
    names = ["family", "objective", "n", *(SHOWN_OF_RELABELLED if _is_relabelled(records[0]) else SHOWN)]
    rows = []
    for record in records:
        published = _published_values(record)
        cells = {
            **_identity(record),
            **_metrics(record),
            "status": _status(record),
            "published": None if published is None else " / ".join(map(number, published)),
            "plane 1": _plane_1(record).get("generators"),
        }
        rows.append([cells[name] for name in names])
    right = [i for i, name in enumerate(names) if name not in TEXTS]
    return Table(names, rows, right, units_of(names))


def _data(records: Sequence[Record]) -> Table:
    """Return the table for programs: all values of records, under their names."""
    metrics = [name for name in METRIC_TABLE if any(name in _metrics(record) for record in records)]
    names = [*_identity(records[0]), *metrics, *PROOF, "front", "published", *_plane_1(records[0]), "id"]
    rows = []
    for record in records:
        cells = {
            **_identity(record),
            **_metrics(record),
            **_plane_1(record),
            **proof_fields(record),
            "front": record.get("front"),
            "published": _published_values(record),
            "id": record["id"],
        }
        rows.append([cells.get(name) for name in names])
    return Table(names, rows, units=units_of(names))


def _identity(record: Record) -> dict[str, object]:
    cube, relabelled = _cube(record), f"{RELABELLED} " if _is_relabelled(record) else ""
    return {"family": f"{relabelled}{cube['family']}", "objective": record["objective"], "n": cube["n"]}


def _metrics(record: Record) -> dict[str, float]:
    """Return the metrics of a record; with those of relabelled planes the one that other cubes have for throughput."""
    metrics: dict[str, float] = record["metrics"]
    if not _is_relabelled(record):
        return metrics
    return {**metrics, "max_traffic": metrics["throughput_per_node"] * _cube(record)["nodes_per_switch"]}


def _plane_1(record: Record) -> dict[str, Any]:
    """Return what makes plane 1 of plane 0, under its name in records."""
    network = record["network"]
    if _is_relabelled(record):
        return {"places": network["places"][0]}
    return {"generators": network["planes"][1]["generators"]}


def _status(record: Record) -> str:
    """Return in words what is proven."""
    if record["objective"] == "front":
        return "front proven complete" if record.get("front") == "complete" else "front not proven complete"
    scope = PlacesVariable().scope if _is_relabelled(record) else ""
    return proof_status(record["score_names"], record["score"], record["bound"], scope)


def _published_values(record: Record) -> list[float | None] | None:
    """Return the published values of the paper's design for the same objective, if the paper states any."""
    from isoplane.runs.published import published_designs

    suffix = {"aspl_and_traffic": "", "delay_paper_and_traffic": "-r"}.get(record["objective"])
    if suffix is None:
        return None
    network = record["network"]
    name = ("DI-FHC" if network["folded"] else "DI-HC") + suffix
    stated = published_designs(network["folded"], network["n"]).get(name)
    if stated is None:
        return None
    first, _ = stated.get("aspl" if suffix == "" else "delay_paper_ns", (None, 0.0))
    return [first, stated["max_traffic"][0]]
