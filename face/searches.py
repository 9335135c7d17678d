"""Searches, which yield what they find, and the designs of a run."""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cached_property
from html import escape

from isoplane.models import Design, InputError
from isoplane.objectives.evaluators import own_values_of
from isoplane.runs.cli.keywords import config_from, full_key, with_options, without_sizes
from isoplane.runs.cli.sized_search import networks_of
from isoplane.runs.config.config_values import SIZES
from isoplane.runs.config.search_setup import SearchSetup, require_variables, search_setup
from isoplane.runs.folder.solution_record import record_of_solution
from isoplane.runs.records import provenance
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import Progress, Solution, solve

from .designs import Value, design_result
from .fronts import axes_of, comparable_request, front_result, lowest_price, sizes_result
from .panels import Cell, Row, number_of
from .proven import proven_of_solution
from .result import Result
from .waiting import shown_while, waiting_place


@with_options("search", "resume")
def find(**options: Value | Callable[..., object]) -> "Search":
    """Search for the best network as `isoplane search` does, without writing anything.

    Parameters
    ----------
    options
        Those of `isoplane search`, but for ``resume``; keys of the network need no prefix. With ``nodes`` and ``ports``
        all sizes that have them are searched, one after another. The objective can be a function of metrics; only one
        at the top level of a module has a name ``module:function``, by which `verify` finds it in other programs.

    Raises
    ------
    InputError
        If an option is unknown, has no effect, or does not fit the others.

    Examples
    --------
    >>> import isoplane as ip
    >>> search = ip.find(network="hypercube", n=4, objective="aspl", stop={"evaluations": 10_000})
    >>> [round(design["aspl"], 3) for design in search][-1], search.best.status
    (1.375, 'proven optimal over all linear relabellings of plane 1')
    >>> sizes = ip.find(network="hypercube", nodes=64, ports=9, objective="aspl", stop={"evaluations": 10_000}).front
    >>> [(row["size"], row["aspl"]) for row in sizes.rows]
    [('hypercube-n4', 1.375), ('hypercube-n5', 1.8125), ('hypercube-n6', 2.25)]
    """
    if options.get("resume") is not None:
        word = f"resume={options['resume']}"
        raise InputError(f"{word}: a search in Python has no folder to resume; expected isoplane search {word}")
    require_variables(type(options.get("network")))
    given = {full_key("search", key): value for key, value in without_sizes(options).items()}
    if all(given.get(size) is None for size in SIZES):
        return Search({"": _setup(without_sizes(options))}, {})
    others = {key: value for key, value in options.items() if key not in (*SIZES, "network")}
    networks = networks_of({key: value for key, value in given.items() if value is not None})
    return Search({name: _setup({**others, **network}) for name, network in networks.items()}, given)


def _setup(options: Mapping[str, object]) -> SearchSetup:
    config, words = config_from("search", options)
    setup = search_setup(config, None)
    config.require_effects(words)
    if setup.judge is not None:
        raise InputError(f"judge={setup.judge}: simulates what was found; expected null, then simulate(search.best)")
    return setup


class Search(Iterator[Result]):
    """A search, which runs while its designs are asked for: each improves on all before, or adds to a front.

    Of several sizes one is searched after another. Ctrl-C ends it, and so does `stop`; what it has found so far stays.

    Parameters
    ----------
    setups, given
        The search as configured, without options, or those of several sizes by their names, with the options of all.

    Attributes
    ----------
    stopped_by
        What ended it: ``complete``, ``optimal``, a limit of ``stop``, ``strategy``, ``interrupt`` or ``stop``; None
        while it runs. Of several sizes, what ended the last one.
    """

    def __init__(self, setups: Mapping[str, SearchSetup], given: Mapping[str, object]) -> None:
        self._request = comparable_request(given)
        self._runs = [_Run(name, setup, lowest_price(self._request, given)) for name, setup in setups.items()]
        self._run, self._steps = self._runs[0], self._solutions()
        self._place = waiting_place()
        self.stopped_by: str | None = None

    def __next__(self) -> Result:
        """Return the next improvement."""
        try:
            with shown_while(self._state, self._place):
                solution = next(self._steps)
        except StopIteration:
            self._end(self._run.stopped_by)
            raise
        except BaseException as error:
            self._end("interrupt" if isinstance(error, KeyboardInterrupt) else "error")
            raise
        return self._run.result(solution)

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._steps.close()
        self._end("stop")

    @property
    def best(self) -> Result:
        """The best design, once the search has ended; the scores of several sizes do not compare."""
        if len(self._runs) > 1:
            raise InputError(f"best: {len(self._runs)} sizes, whose scores differ; expected front: the best of each")
        self._require_end()
        return self._run.best

    @cached_property
    def front(self) -> Result:
        """All designs that no other one dominates, once the search has ended: a front, or the best one alone.

        Of several sizes, the best one of each, the cheapest first, with prices as of `compare`.
        """
        self._require_end()
        if len(self._runs) == 1:
            return self._run.front
        return sizes_result([(run.name, run.best, run.meets_limits) for run in self._runs if run.kept], self._request)

    @property
    def score(self) -> float | None:
        """The first component of the best score so far, as the search prints it; None before there is one."""
        return number_of(self._run.best_proven, "score")

    @property
    def bound(self) -> float | None:
        """Its proven bound, as known so far."""
        return number_of(self._run.best_proven, "bound")

    @property
    def gap(self) -> float | None:
        """The gap between them, as a fraction of the score."""
        return number_of(self._run.best_proven, "gap")

    @property
    def status(self) -> str:
        """What is proven of the best design so far, in words."""
        return str(self._run.best_proven.get("status", ""))

    @property
    def bound_source(self) -> str:
        """What proves the bound, in words."""
        return str(self._run.best_proven.get("bound_source", ""))

    def to_frame(self, make: Callable[[dict[str, list[Cell]]], object] | str | None = None) -> object:
        """Return the designs of `front`, once the search has ended, as a data frame; `make` as of `Result.to_frame`."""
        return self.front.to_frame(make)

    @property
    def is_target_reached(self) -> bool:
        """Whether the best design meets all limits, and ``stop.target`` or ``stop.gap`` if there is one of them.

        Of several sizes that of each that meets the limits, if any does.
        """
        self._require_end()
        within = [run for run in self._runs if run.kept and run.meets_limits]
        return bool(within) and all(run.is_target_reached for run in within)

    def __repr__(self) -> str:
        """Return the state of the search in a line."""
        return f"<search: {self._state()}; {self.stopped_by or 'running'}>"

    def _repr_html_(self) -> str:
        """Return the state, and the best design so far, as notebooks show it."""
        best = self._run.best._repr_html_() if self._run.kept else ""
        return f"<p>{escape(repr(self))}</p>{best}"

    def _state(self) -> str:
        number = f"size {self._runs.index(self._run) + 1} of {len(self._runs)}; " if len(self._runs) > 1 else ""
        return number + self._run.state

    def _solutions(self) -> Generator[Solution, None, None]:
        for run in self._runs:
            self._run = run
            yield from run.solutions()

    def _end(self, reason: str) -> None:
        if self.stopped_by is None:
            self.stopped_by = reason

    def _require_end(self) -> None:
        """Run the search to its end, and require that it has found a design."""
        if self.stopped_by is None:
            for _ in self:
                pass
        if not any(run.kept for run in self._runs):
            raise InputError("search: no feasible design was found; expected other limits, or more time")


class _Run:
    """The search of one size: what it has kept, and how far it is; with the lowest price of any network, if known."""

    def __init__(self, name: str, setup: SearchSetup, lowest: int | None) -> None:
        self.name, self._setup, self._lowest, self.stopped_by = name, setup, lowest, "strategy"
        self.kept: dict[Design, Solution] = {}
        self._sources: dict[tuple[int | None, ...], str] = {}  # of bounds, which many designs share
        self._last: Progress | None = None
        self._line = ProgressLine(setup.objective, setup.limits, setup.workers, interactive=False)

    @cached_property
    def _origin(self) -> dict[str, object]:
        return provenance(self._setup.seed, self._setup.strategy.name, self._setup.config)

    def solutions(self) -> Generator[Solution, None, None]:
        """Yield the improvements."""
        setup = self._setup
        with setup.fleet as fleet:
            found = solve(
                setup.space,
                setup.objective,
                setup.strategy,
                setup.limits,
                setup.seed,
                warm_start=setup.start,
                fleet=fleet,
                watch=self._watch,
            )
            for solution in found:
                self.kept[solution.design] = solution
                self.kept = {design: kept for design, kept in self.kept.items() if design in solution.kept}
                yield solution

    def _watch(self, progress: Progress) -> str | None:
        """Note the progress after a round; return why the search ends, if it does."""
        self._last = progress
        if progress.complete:
            self.stopped_by = "complete"
            return None
        reason = self._setup.limits(self._setup.objective, progress)
        self.stopped_by = reason or self.stopped_by
        return reason

    @property
    def state(self) -> str:
        """What is searched, and how far."""
        state = "not begun" if self._last is None else self._line.line(self._last).strip()
        return f"{self._setup.space.baseline.network.title}; {state}"

    @property
    def best_proven(self) -> Row:
        """What is proven of the best design so far; empty before there is one."""
        return self._proven(self._ranked[0]) if self.kept else {}

    def _proven(self, solution: Solution) -> Row:
        return proven_of_solution(solution, self._setup.objective, self._origin, self._sources, self._lowest)

    @property
    def _ranked(self) -> list[Solution]:
        return sorted(self.kept.values(), key=lambda solution: solution.evaluation.score)

    @property
    def best(self) -> Result:
        """The best design."""
        return self.result(self._ranked[0])

    @property
    def front(self) -> Result:
        """The designs of the front, or the best one alone."""
        designs = [self.result(solution) for solution in self._ranked]
        return front_result(designs, axes_of(self._setup.objective), designs[0].status)

    @property
    def meets_limits(self) -> bool:
        """Whether the best design meets all limits."""
        return self._setup.objective.meets_limits(self._ranked[0].evaluation.score)

    @property
    def is_target_reached(self) -> bool:
        """Whether the best design reaches the target, if there is one."""
        solution, setup = self._ranked[0], self._setup
        found = solution.evaluation
        return setup.limits.reached(setup.objective, found.score, found.bound, solution.design.network)

    def result(self, solution: Solution) -> Result:
        """Return a design with what is proven of it."""
        objective, proven = self._setup.objective, self._proven(solution)
        found, own = solution.evaluation, own_values_of(solution.design, objective.workload)
        return design_result(
            solution.design,
            lambda: record_of_solution(solution, objective, self._origin),
            objective.workload,
            metrics={**found.metrics, **own},
            status=str(proven["status"]),
            proven=proven,
            objective=objective,
        )
