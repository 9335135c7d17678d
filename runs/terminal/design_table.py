"""Tables of metrics: of a design beside its baseline, for people, and of several designs, for programs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from isoplane import objectives
from isoplane.models import Design
from isoplane.objectives.evaluators import own_values_of
from isoplane.objectives.scoring.own_metrics import own_metrics

from .table import Table, number, unit_beside

if TYPE_CHECKING:
    from isoplane.models.workloads import Workload


def units_of(names: Iterable[str]) -> list[str]:
    """Return the units of metrics beside their names; empty for other names, and for those that state the unit.

    Examples
    --------
    >>> units_of(["family", "aspl", "delay_ns"])
    ['', 'hops', '']
    """
    table = known_metrics()
    return [unit_beside(name, table[name].unit) if name in table else "" for name in names]


def known_metrics() -> "Mapping[str, objectives.Metric]":
    """Return all metrics by name, those of installed packages included."""
    return {**objectives.METRIC_TABLE, **own_metrics()}


def _all_metrics(
    evaluator: "objectives.Evaluator", design: Design, names: tuple[str, ...], workload: "Workload | None"
) -> dict[str, int | float | None]:
    """Return the metrics of a design, those of installed packages last."""
    _, metrics = evaluator.evaluate(design, names, workload)
    return {**metrics, **own_values_of(design, workload)}


def comparison(design: Design, workload: "Workload | None" = None, scored: Sequence[str] = ()) -> str:
    """Return all metrics of a design as text, next to those of its baseline if it has one.

    Parameters
    ----------
    design
        The design.
    workload
        The workload, if metrics depend on it.
    scored
        Exact integers of a score: metrics on request of which it has some are shown, too.
    """
    return f"{title_of(design, workload)}\n{metric_tables(design, workload, scored)[0]}"


def title_of(design: Design, workload: "Workload | None" = None) -> str:
    """Return what a design and the workload of its metrics are; parameters as of `comparison`."""
    details = "" if workload is None else f", {workload.name}: {workload.messages} messages x {workload.iterations}"
    return f"{design.network.family.description}{details}"


def metric_tables(
    design: Design, workload: "Workload | None" = None, scored: Sequence[str] = ()
) -> tuple[Table, Table]:
    """Return a table with a row for each metric, and one with a row for the design and one for its baseline.

    Parameters are those of `comparison`.
    """
    has_baseline, evaluator = bool(design.baseline_title), objectives.evaluator_of(design)
    known = objectives.score_names(evaluator.scope)
    shown = (name for name in scored if name in known)
    names = tuple(name for name in shown if objectives.displayed_metric(evaluator.scope, name)[1].on_request)
    ours = _all_metrics(evaluator, design, names, workload)
    theirs = _all_metrics(evaluator, design.baseline, names, workload) if has_baseline else {}
    head = ["", "this design", *([design.baseline_title, "change"] if has_baseline else []), "unit"]
    rows: list[Sequence[object]] = []
    for name, mine in ours.items():
        other = theirs.get(name)
        change = "" if mine is None or not other else f"{100 * (mine / other - 1):+.2f} %"
        beside = [number(other), change] if has_baseline else []
        rows.append([name, number(mine), *beside, known_metrics()[name].unit])
    by_design = [[design.network.title, *ours.values()]]
    if has_baseline:
        by_design.append([design.baseline_title, *(theirs.get(name) for name in ours)])
    data = Table(["design", *ours], by_design, units=units_of(["design", *ours]))
    return Table(head, rows, range(1, len(head))), data
