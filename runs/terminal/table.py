"""Plain-text tables on standard output."""

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from isoplane import objectives
from isoplane.models import Design
from isoplane.objectives.scoring.own_metrics import own_metrics, own_values_of

if TYPE_CHECKING:
    from isoplane.models.workloads import Workload


def columns(rows: Sequence[Sequence[str]], right: Container[int] | None = None) -> str:
    """Return rows with aligned columns: some to the right, by default all but the first, and the others to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = range(1, len(widths)) if right is None else right
    lines = (
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def number(value: float | None) -> str:
    """Return a metric as text for tables."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def comparison(design: Design, workload: "Workload | None" = None, scored: Sequence[str] = ()) -> str:
    """Return all metrics of a design, next to those of its baseline if it has one.

    Parameters
    ----------
    design
        The design.
    workload
        The workload, if metrics depend on it.
    scored
        Exact integers of a score: metrics on request of which it has some are shown, too.
    """
    has_baseline, evaluator = bool(design.baseline_title), objectives.evaluator_of(design)
    known = objectives.score_names(evaluator.scope)
    shown = (name for name in scored if name in known)
    names = tuple(name for name in shown if objectives.displayed_metric(evaluator.scope, name)[1].on_request)
    ours = _all_metrics(evaluator, design, names, workload)
    theirs = _all_metrics(evaluator, design.baseline, names, workload) if has_baseline else {}
    units = {**objectives.METRIC_TABLE, **own_metrics()}
    rows = [["", "this design", *([design.baseline_title, "change"] if has_baseline else []), "unit"]]
    for name, mine in ours.items():
        other = theirs.get(name)
        change = "" if mine is None or not other else f"{100 * (mine / other - 1):+.2f} %"
        rows.append([name, number(mine), *([number(other), change] if has_baseline else []), units[name].unit])
    details = "" if workload is None else f", {workload.name}: {workload.messages} messages x {workload.iterations}"
    return f"{design.network.family.description}{details}\n{columns(rows)}"


def _all_metrics(
    evaluator: "objectives.Evaluator", design: Design, names: tuple[str, ...], workload: "Workload | None"
) -> dict[str, int | float | None]:
    """Return the metrics of a design, those of installed packages last."""
    _, metrics = evaluator.evaluate(design, names, workload)
    return {**metrics, **own_values_of(evaluator, design, workload)}
