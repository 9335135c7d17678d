"""Completion time of a program that repeats its steps, from fewer of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.mathematics.batch_means import settled_means
from isoplane.models.workloads import MappedWorkload, ProgramWorkload
from isoplane.models.workloads.message_list import MAX_MESSAGES
from isoplane.models.workloads.message_starts import messages_begun_by
from isoplane.objectives import _native
from isoplane.objectives.general.arrays import in_threads

from .plane_model import NetworkFluidModel

SETTLED = 2  # steps after which the messages of a step are those of every later one, local ones included
MODULUS = 4  # numbers of steps are those of all modulo this one, so that few periods need a further run
WHOLE, PERIODIC, BATCH_MEANS = METHODS = ("whole", "periodic", "batch means")

_Problem = tuple[Network, ProgramWorkload | MappedWorkload, tuple[str, str]]
Ticks = NDArray[np.float64]  # whole numbers below 2^52, and infinity


class StepRuns(NamedTuple):
    """Completion of the 9 runs of a workload, and what each follows from.

    Attributes
    ----------
    runs_ns
        Completion, to the nearest ns.
    methods
        ``whole``, all steps were simulated; ``periodic``, fewer were, in which a state occurred again, so that the
        time is exact; or ``batch means``, an estimate.
    steps
        Number of steps simulated.
    half_widths
        0, or the half-width of the 95 % confidence interval of the mean of all estimates, relative to this mean.
    """

    runs_ns: tuple[int, ...]
    methods: tuple[str, ...]
    steps: tuple[int, ...]
    half_widths: tuple[float, ...]

    @property
    def text(self) -> str:
        """What the times follow from."""
        parts = []
        for method in METHODS:
            steps = sorted(count for name, count in zip(self.methods, self.steps, strict=True) if name == method)
            if steps:
                width = f" within {100 * max(self.half_widths):.2g} %" if method == BATCH_MEANS else ""
                runs = "" if len(steps) == len(self.methods) else f" in {len(steps)} of {len(self.methods)} runs"
                count = "-".join(map(str, sorted({steps[0], steps[-1]})))
                parts.append(f"{method}{width}{runs} ({count} step{'' if count == '1' else 's'})")
        return ", ".join(parts)


class _Run(NamedTuple):
    """Completion of a run of all steps, or that of the steps simulated and their durations, in ticks."""

    end: float
    durations: Ticks | None = None


def step_runs(
    network: Network,
    workload: ProgramWorkload | MappedWorkload,
    half_width: float = 0.002,
    rules: tuple[str, str] = ("sender", "equal"),
    most_messages: int = MAX_MESSAGES,
) -> StepRuns:
    """Return the completion of each of the 9 runs of a program, of which not all steps are simulated.

    The state of the fluid model at a moment are the volumes left of all messages that are being sent, the times left of
    those that are held or on their way, and how many arrivals each other message still awaits. What follows depends on
    it alone, since rates are a function of the messages that share links. If the state at t + D is the one at t, with
    each message replaced by that of p steps later, then all that follows is the same, D later, until the program runs
    out of steps. So T steps take as long as T - q·p steps, plus q·D, provided that these pass through both states.

    No state is recorded for this: times of arrivals determine it. A message begins a known time after the last arrival
    that it awaits. So let L be the earliest such arrival of a message on its way at t, and K that of any message on its
    way after L. From the arrivals after K follow all beginnings after L, and from these and all ends up to t, which
    arrivals show a delay of the way later, the rates at every moment from L to t; and so all volumes left at t of
    messages that began at L or later, which are all. States are compared by these arrivals, relative to t.

    A run of fewer steps is that of all steps until a message of its last step could begin; later states are not used.
    Jitter is drawn by the place of a message in its step, so that runs with jitter are not those of `plane_runs_ns`.

    Where no state recurs, the mean duration of the steps simulated stands for the others (`settled_means`), and steps
    are doubled until the half-width of the mean completion of these runs is at most `half_width`, or any at all if
    twice as many messages are too many. If half of all steps do not suffice, or if packets may miss, or some messages
    may fall behind others (`StepList.has_one_pace`), all are simulated, except of runs in which a state recurred.

    Parameters
    ----------
    network, workload, rules
        As for `plane_runs_ns`, with the same errors; the rules are its `messages_start` and `sharing`. Weights of
        ``cm02`` are as precise as the messages simulated allow, so that times are exact up to their rounding.
    half_width
        The largest relative half-width of a mean.
    most_messages
        The largest number of messages of a run that are simulated for a narrower interval than there is.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import npb
    >>> step_runs(Network(Torus(shape=(2, 2))), npb("lu", "S", 4, gflops=10)).text
    'periodic (6 steps)'
    """
    problem, steps, all_runs = (network, workload, rules), workload.steps, range(_native.RUNS)
    exact: dict[int, tuple[int, str, int, float]] = {}
    simulated = SETTLED + 3 + (steps - SETTLED - 3) % MODULUS
    never_misses = network.site.switch.never_misses(network.nodes)
    while never_misses and 2 * simulated <= steps:
        some = _SomeSteps(problem, simulated)
        runs = some.runs([run for run in all_runs if run not in exact])
        exact |= {
            run: (some.nearest_ns(end), PERIODIC, simulated, 0.0) for run, (end, left) in runs.items() if left is None
        }
        estimated_ns, width = some.estimates({run: known for run, known in runs.items() if run not in exact})
        if width <= half_width or (width < inf and 2 * some.messages > most_messages):
            rows = [exact.get(run) or (estimated_ns[run], BATCH_MEANS, simulated, width) for run in all_runs]
            return StepRuns(*zip(*rows, strict=True))
        simulated += simulated - steps % MODULUS
    if exact:
        whole = _SomeSteps(problem, steps)
        rows = [exact.get(run) or (whole.end_ns(run), WHOLE, steps, 0.0) for run in all_runs]
    else:
        model = NetworkFluidModel(network, messages_begun_by(workload, rules[0]), sharing=rules[1])
        rows = [(ns, WHOLE, steps, 0.0) for ns in model.runs_ns]
    return StepRuns(*zip(*rows, strict=True))


class _SomeSteps:
    """Runs of a program with some of its steps, and what follows from them for all steps."""

    def __init__(self, problem: _Problem, steps: int) -> None:
        network, workload, (start, sharing) = problem
        self._problem, self._steps, self._all, self._fewer = problem, steps, workload.steps, dict[int, _SomeSteps]()
        self._listed = listed = workload.step_list(steps, start)
        self.messages = listed.messages.messages
        # One of the settled steps stands for those that are left out.
        repeats = np.where(listed.step == steps // 2, 1 + self._all - steps, 1)
        self._model = NetworkFluidModel(network, listed.messages, None, sharing, repeats=repeats, jitter=listed.place)
        message = self._model.transfer_message
        self._first = np.searchsorted(message, np.arange(listed.messages.messages))
        part = np.arange(len(message)) - self._first[message]
        row, key = listed.step[message], listed.place[message] * (int(part.max()) + 1) + part
        # Local messages that only the first or last steps have count to what precedes or follows all steps.
        places = np.unique(key[row == steps // 2])
        self._inside = (row >= 0) & (row < steps) & np.isin(key, places)
        self._before, self._after = (~self._inside & side for side in (row < steps // 2, row >= steps // 2))
        self._shape = steps, len(places)
        self._cell = row[self._inside] * len(places) + np.searchsorted(places, key[self._inside])

    def series(self, run: int) -> "_Series":
        """Return the arrivals of a run by step."""
        messages, arrival = self._listed.messages, self._model.arrival_ticks(run)
        arrived = np.maximum.reduceat(arrival, self._first)
        waits = np.diff(messages.dependency_start) > 0
        awaited = np.zeros(messages.messages)
        awaited[waits] = np.maximum.reduceat(arrived[messages.dependency], messages.dependency_start[:-1][waits])
        ready = awaited[self._model.transfer_message]
        changed = min(self._grid(ready)[-1].min(), ready[self._after].min(initial=inf))
        begun, delay = float(arrival[self._before].max(initial=0)), self._model.longest_delay_ticks
        return _Series(self._grid(arrival), self._grid(ready), float(arrival.max()), changed, begun, delay)

    def _grid(self, values: Ticks) -> Ticks:
        """Return the values of transfers by step and place."""
        grid = np.full(self._shape, -inf)
        # Other local ones can be missing in the first steps, which are over then, and in the last ones.
        grid[self._shape[0] // 2 :] = inf
        grid.ravel()[self._cell] = values[self._inside]
        return grid

    def runs(self, runs: Sequence[int]) -> dict[int, _Run]:
        """Return what is known of runs of all steps."""
        known = in_threads(lambda part: self._run(runs[part.start]), len(runs), 1, "runs of the fluid model", 1)
        return dict(zip(runs, known, strict=True))

    def _run(self, run: int) -> _Run:
        series = self.series(run)
        recurrence = series.recurrence()
        if recurrence is None:
            return _Run(series.end, series.durations())
        first, second = recurrence
        # Whole periods are left out of runs that pass through the first of the two states.
        steps = self._steps - (self._steps - self._all) % (second - first)
        left = (self._all - steps) // (second - first) * (series.reference(second) - series.reference(first))
        if steps < self._steps:
            if steps not in self._fewer:  # most runs have the same period
                self._fewer = {steps: _SomeSteps(self._problem, steps)}
            series = self._fewer[steps].series(run)
            if series.state(first) is None:
                return _Run(series.end, np.zeros(0))
        return _Run(series.end + left)

    def estimates(self, runs: Mapping[int, _Run]) -> tuple[dict[int, int], float]:
        """Return the completion of runs of all steps, and the half-width of their mean, relative to it."""
        if not runs:
            return {}, 0.0
        rest, durations = self._all - self._steps, [left for _, left in runs.values() if left is not None]
        shortest = min(map(len, durations))
        means, width = settled_means(np.array([left[:shortest] for left in durations]), rest)
        ends = [end + rest * mean for (end, _), mean in zip(runs.values(), means.tolist(), strict=True)]
        of_rounding = 2.0 ** (self._model.ticks_log2 - 1)
        relative = (width + of_rounding) * len(ends) / sum(ends) if self._listed.has_one_pace else inf
        return dict(zip(runs, map(self.nearest_ns, ends), strict=True)), relative

    def end_ns(self, run: int) -> int:
        """Return the completion of a run of these steps."""
        return self.nearest_ns(float(self._model.arrival_ticks(run).max()))

    def nearest_ns(self, ticks: float) -> int:
        """Return a time to the nearest ns."""
        return (round(ticks) + (1 << self._model.ticks_log2 >> 1)) >> self._model.ticks_log2


@dataclass(frozen=True, eq=False)
class _Series:
    """Arrivals of a run.

    Attributes
    ----------
    arrival, ready : float64[steps, places]
        When each transfer of a step arrives, and when all has arrived that its message awaits.
    end
        The last arrival.
    changed
        From when on a run of more steps can differ.
    begun
        The last arrival of what precedes the steps.
    delay
        The longest time from the last bit of a transfer to its arrival.
    """

    arrival: Ticks
    ready: Ticks
    end: float
    changed: float
    begun: float
    delay: int

    @cached_property
    def _extremes(self) -> tuple[Ticks, Ticks, Ticks]:
        """By step: when its first transfer is ready, its first arrival and its last one."""
        return self.ready.min(axis=1), self.arrival.min(axis=1), self.arrival.max(axis=1)

    @cached_property
    def _column(self) -> int:
        return int(np.argmin(self.arrival[len(self.arrival) // 2]))

    def reference(self, step: int) -> float:
        """Return a moment of a step."""
        return float(self.arrival[step, self._column])

    def recurrence(self) -> tuple[int, int] | None:
        """Return the first two steps with the same state, if there are any."""
        seen: dict[bytes, int] = {}
        for step in range(SETTLED, len(self.arrival) - 1):
            state = self.state(step)
            if state is not None and state in seen:
                return seen[state], step
            if state is not None:
                seen[state] = step
        return None

    def state(self, step: int) -> bytes | None:
        """Return the state at the reference of a step; None if other than steps matter, or it is after `changed`."""
        now = self.reference(step)
        until = now + self.delay
        if not until < self.changed:
            return None
        first_ready, first, last = self._extremes
        since = now
        for _ in range(2):
            rows = np.flatnonzero((first_ready <= now) & (last > since))
            ready, live = self.ready[rows], (self.ready[rows] <= now) & (self.arrival[rows] > since)
            since = float(ready[live].min(initial=since))
        rows = np.flatnonzero((last >= since) & (first <= until))
        if not len(rows) or rows[0] < SETTLED or self.begun >= since:
            return None
        # All that arrived before, and all that arrives later, is alike.
        window = np.clip(self.arrival[rows[0] : rows[-1] + 1], since - 1, until + 1) - now
        head = np.array([rows[0] - step, since - now])
        return blake2b(head.tobytes() + window.tobytes()).digest()

    def durations(self) -> Ticks:
        """Return the times between the last arrivals of steps, as far as they are those of a run of more steps."""
        last = self._extremes[2]
        return np.diff(last[last < self.changed][SETTLED:])
