"""Searches, which yield what they find, and the designs of a run."""

import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cached_property

from isoplane.models import Design, InputError
from isoplane.objectives import METRIC_TABLE, displayed_metric
from isoplane.objectives.scoring.worded_objective import unmet_limits
from isoplane.runs.cli.keywords import config_from, with_options
from isoplane.runs.config.search_setup import SearchSetup, search_setup
from isoplane.runs.folder.solution_record import proven_over, record_of_solution
from isoplane.runs.records import proof_status, provenance
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import Progress, Solution, solve

from .designs import CHIEF, Value, design_result
from .panels import Panel, Row, is_number
from .result import Result

REDRAWN_AFTER_S = 0.5
AXES = ("delay_ns", "max_traffic")  # of fronts whose records do not name their metrics


@with_options("search", "resume", "nodes", "ports")
def find(**options: Value) -> "Search":
    """Search for the best network as `isoplane search` does, without writing anything.

    Parameters
    ----------
    options
        Those of `isoplane search`, but for ``resume``, ``nodes`` and ``ports``; keys of the network need no prefix.

    Raises
    ------
    InputError
        If an option is unknown, has no effect, or does not fit the others.

    Examples
    --------
    >>> import isoplane as ip
    >>> search = ip.find(network="hypercube", n=4, objective="aspl", stop={"evaluations": 10_000})
    >>> [round(design["aspl"], 3) for design in search][-1], search.best.status
    (1.375, 'proven optimal over all bases of plane 1')
    """
    config, words = config_from("search", options)
    setup = search_setup(config, None)
    config.require_effects(words)
    if setup.judge is not None:
        raise InputError(f"judge={setup.judge}: simulates what was found; expected null, then simulate(search.best)")
    return Search(setup)


class Search(Iterator[Result]):
    """A search, which runs while its designs are asked for: each improves on all before, or adds to a front.

    Ctrl-C ends it, and so does `stop`; what it has found so far stays.

    Parameters
    ----------
    setup
        The search as configured.

    Attributes
    ----------
    stopped_by
        What ended it: ``complete``, ``optimal``, a limit of ``stop``, ``strategy``, ``interrupt`` or ``stop``; None
        while it runs.
    """

    def __init__(self, setup: SearchSetup) -> None:
        self._setup = setup
        self._kept: dict[Design, Solution] = {}
        self._history: list[tuple[int, float]] = []
        self._last: Progress | None = None
        self._reason = "strategy"
        self._steps = self._solutions()
        self._line = ProgressLine(setup.objective, setup.limits, setup.workers, interactive=False)
        self._shown: Callable[[], None] | None = None
        self._shown_at = 0.0
        self.stopped_by: str | None = None

    def __next__(self) -> Result:
        """Return the next improvement."""
        try:
            solution = next(self._steps)
        except StopIteration:
            self._end(self._reason)
            raise
        except BaseException as error:
            self._end("interrupt" if isinstance(error, KeyboardInterrupt) else "error")
            raise
        self._kept[solution.design] = solution
        self._kept = {design: kept for design, kept in self._kept.items() if design in solution.kept}
        score = self._setup.objective.printed(solution.evaluation.score, solution.design.network)
        self._history.append((solution.evaluations, float(score)))
        return self._result(solution)

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._steps.close()
        self._end("stop")

    @property
    def best(self) -> Result:
        """The best design, once the search has ended."""
        return self._result(self._ranked()[0])

    @property
    def front(self) -> Result:
        """All designs that no other one dominates, once the search has ended: a front, or the best one alone."""
        found, objective = self._ranked(), self._setup.objective
        designs = [self._result(solution) for solution in found]
        metrics = [displayed_metric(objective.scope, name)[0].name for name in objective.front or ()]
        axes = (metrics[0], metrics[1]) if metrics else AXES
        return front_result(designs, axes, self._status(found[0]))

    @property
    def is_target_reached(self) -> bool:
        """Whether the best design meets all limits, and ``stop.target`` or ``stop.gap`` if there is one of them."""
        solution, setup = self._ranked()[0], self._setup
        score, bound = solution.evaluation.score, solution.evaluation.bound
        return setup.objective.meets_limits(score) and setup.limits.reached(
            setup.objective, score, bound, solution.design.network
        )

    def __repr__(self) -> str:
        """Return the state of the search in a line."""
        state = "not begun" if self._last is None else self._line.line(self._last).strip()
        return f"<search: {self._setup.space.baseline.network.title}; {state}; {self.stopped_by or 'running'}>"

    def _repr_html_(self) -> str:
        """Return the state, and the best design so far, as notebooks show it."""
        from html import escape

        best = self._result(self._in_order()[0])._repr_html_() if self._kept else ""
        return f"<p>{escape(repr(self))}</p>{best}"

    def _solutions(self) -> Generator[Solution, None, None]:
        setup = self._setup
        with setup.fleet as fleet:
            yield from solve(
                setup.space,
                setup.objective,
                setup.strategy,
                setup.limits,
                setup.seed,
                warm_start=setup.start,
                fleet=fleet,
                watch=self._watch,
            )

    def _watch(self, progress: Progress) -> str | None:
        """Note and show the progress after a round; return why the search ends, if it does."""
        self._last = progress
        self._show()
        if progress.complete:
            self._reason = "complete"
            return None
        reason = self._setup.limits(self._setup.objective, progress)
        self._reason = reason or self._reason
        return reason

    def _show(self) -> None:
        """Show the state in a notebook, in place of the last one."""
        now = time.monotonic()
        if now < self._shown_at + REDRAWN_AFTER_S:
            return
        self._shown_at = now
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is None:
            return
        from IPython.display import display

        if self._shown is None:
            handle = display({"text/plain": repr(self)}, raw=True, display_id=True)
            self._shown = lambda: handle.update({"text/plain": repr(self)}, raw=True)
        else:
            self._shown()

    def _end(self, reason: str) -> None:
        if self.stopped_by is None:
            self.stopped_by = reason
            if self._shown is not None:
                self._shown()

    def _in_order(self) -> list[Solution]:
        return sorted(self._kept.values(), key=lambda solution: solution.evaluation.score)

    def _ranked(self) -> list[Solution]:
        """Return the designs, the best one first, once the search has ended."""
        if self.stopped_by is None:
            for _ in self:
                pass
        if not self._kept:
            raise InputError("search: no feasible design was found; expected other limits, or more time")
        return self._in_order()

    @cached_property
    def _origin(self) -> dict[str, object]:
        return provenance(self._setup.seed, self._setup.strategy.name, self._setup.config)

    def _status(self, solution: Solution) -> str:
        found, objective = solution.evaluation, self._setup.objective
        if objective.front is not None:
            return f"proven complete over {proven_over(solution)}" if solution.complete else "not proven complete"
        if not objective.meets_limits(found.score):
            evaluated = objective.evaluator.exact(solution.design, objective.metrics, objective.workload)
            return f"misses {', '.join(unmet_limits(objective, evaluated, found.metrics))}"
        return proof_status(found.score_names, found.score, found.bound, proven_over(solution))

    def _result(self, solution: Solution) -> Result:
        return design_result(
            solution.design,
            lambda: record_of_solution(solution, self._setup.objective, self._origin),
            self._setup.objective.workload,
            metrics=solution.evaluation.metrics,
            status=self._status(solution),
        )


def front_result(designs: Sequence[Result], axes: tuple[str, str], status: str = "") -> Result:
    """Return several designs as a front.

    Parameters
    ----------
    designs
        The designs, the best one first.
    axes
        The metrics that are drawn against each other.
    status
        What is proven, in words.
    """
    best = designs[0]
    chief = tuple(dict.fromkeys([*axes, *(name for name in CHIEF if name in best.rows[0])]))
    return Result(
        "front",
        best.title,
        [result.rows[0] for result in designs],
        chief,
        lambda: {"designs": [result.to_dict() for result in designs]},
        lambda: _front_panels(designs, axes),
        lambda: _front_page(designs),
        status,
        members=tuple(designs),
        baseline=best.baseline,
    )


def _front_panels(designs: Sequence[Result], axes: tuple[str, str]) -> tuple[Panel, ...]:
    """Return the designs, and the baseline, by two metrics."""
    kinds: list[tuple[str, list[Row], str]] = [("front", [result.rows[0] for result in designs], "o-")]
    if designs[0].baseline is not None:
        title, numbers = designs[0].baseline
        kinds.append((title, [numbers], "s"))
    series = []
    for name, rows, form in kinds:
        points = [(row.get(axes[0]), row.get(axes[1])) for row in rows]
        known = sorted((x, y) for x, y in points if is_number(x) and is_number(y))
        series.append((name, [x for x, _ in known], [y for _, y in known], form))
    titles = [f"{METRIC_TABLE[name].title} ({METRIC_TABLE[name].unit})" for name in axes]
    return ((titles[0], titles[1], tuple(series)),)


def _front_page(designs: Sequence[Result]) -> str:
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData

    best, *others = (result.to_dict() for result in designs)
    return render(ReportData(best, others=others))
