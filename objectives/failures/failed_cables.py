"""Networks of which a share of the cables has failed, drawn at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int

from ..general.arrays import in_threads
from .routed import Baseline, Measures, RelativeRange, relative_range

SHARES = (0.01, 0.05, 0.1)
DRAWS, DRAWS_OF_LARGE, LARGE_SWITCHES = 20, 5, 1024
MAX_DRAWS = 10_000
MAX_SINGLES = 256  # cables, each of which fails once where one fails in each draw: a second at most, 4 ms each


@dataclass(frozen=True)
class FailureSummary:
    """Draws in which a share of the cables between switches has failed.

    All ranges are relative to `Baseline.rerouted`, over the draws in which no node is disconnected; None if there are
    none, or if no link carries load.

    Parameters
    ----------
    share, failed
        The share of cables, and their number in each draw.
    draws, disconnected
        Number of draws, or of cables where each fails once, and number of those in which some nodes cannot communicate
        with all others.
    aspl, diameter, throughput
        Mean and worst of the draws. The throughput is that of `Baseline.throughput`: links of nodes limit it, too.
    """

    share: float
    failed: int
    draws: int
    disconnected: int
    aspl: RelativeRange | None
    diameter: RelativeRange | None
    throughput: RelativeRange | None


def default_draws(network: Network) -> int:
    """Return the default number of draws: 20 for up to 1,024 switches in all planes, 5 for more.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> default_draws(dual_cube(9, tuple(1 << i for i in range(9)))), default_draws(dual_cube(10, (3, 2, *(
    ...     1 << i for i in range(2, 10)))))
    (20, 5)
    """
    return DRAWS if network.family.switches <= LARGE_SWITCHES else DRAWS_OF_LARGE


def cable_failures(
    network: Network,
    shares: Sequence[float] = SHARES,
    draws: int | None = None,
    seed: int = 1,
    baseline: Baseline | None = None,
) -> tuple[FailureSummary, ...]:
    """Return what remains of a network if shares of its cables between switches fail at random, all planes together.

    In draw i of every share, the first cables of the same random order fail, so that a larger share includes the cables
    of a smaller one. If a share is one cable, and there are at most 256, each cable fails once instead: the summary is
    exact, whatever the draws and their seed. `FailureModel` defines which nodes are disconnected, and how
    routes are repaired.

    Parameters
    ----------
    network
        A network without circuits.
    shares
        Shares of the cables, between 0 and 1; each is rounded to a number of cables, at least one.
    draws
        Number of draws; `default_draws` if None.
    seed
        Seed of the draws.
    baseline
        The `Baseline` of the network, if it is known.

    Raises
    ------
    InputError
        If a value is out of range, the network has circuits or no cables, or as for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> (summary,) = cable_failures(Network(Torus(shape=(5,))), shares=[0.2])  # a ring becomes a path
    >>> summary.aspl.mean, summary.throughput.mean  # (4·1 + 3·2 + 2·3 + 1·4)·2 of 5·(2·1 + 2·2) hops; 2·3 of 3 packets
    (Fraction(4, 3), Fraction(1, 2))
    """
    count = default_draws(network) if draws is None else check_int("draws", draws, 1, MAX_DRAWS)
    check_int("seed", seed, 0)
    baseline = baseline or Baseline(network)
    model = baseline.model
    if not model.cables:
        raise InputError("network.planes: no cables between switches; expected at least one that can fail")
    for share in shares:
        if not 0 < share <= 1:
            raise InputError(f"shares: {share}; expected shares above 0 and up to 1")
    # Not `round`, which takes halves to the even number.
    failed = [max(1, int(share * model.cables + 0.5)) for share in shares]
    rerouted = baseline.rerouted
    # A generator for each draw, so that more draws leave the first ones as they are.
    orders = [np.random.default_rng([seed, draw]).permutation(model.cables) for draw in range(count)]
    singles = np.arange(model.cables)[:, None] if model.cables <= MAX_SINGLES else [order[:1] for order in orders]
    # By number of cables, so that shares of as many are measured once.
    cases = {cables: singles if cables == 1 else [order[:cables] for order in orders] for cables in failed}
    listed = list(chain.from_iterable(cases.values()))

    def measured(case: slice) -> list[Measures | None]:
        remaining = model.after(cables=listed[case.start])
        return [baseline.measures(remaining.connected_network) if not remaining.lost else None]

    measures = iter(list(chain.from_iterable(in_threads(measured, len(listed), 1, "failed cables"))))
    by_number = {cables: list(islice(measures, len(chosen))) for cables, chosen in cases.items()}
    return tuple(
        _summary(share, cables, rerouted, by_number[cables]) for share, cables in zip(shares, failed, strict=True)
    )


def _summary(share: float, failed: int, rerouted: Measures, draws: Sequence[Measures | None]) -> FailureSummary:
    connected = [draw for draw in draws if draw is not None]
    aspl, diameter, throughput = (
        relative_range([draw[number] for draw in connected], rerouted[number], worst)
        for number, worst in ((0, max), (1, max), (3, min))
    )
    return FailureSummary(share, failed, len(draws), len(draws) - len(connected), aspl, diameter, throughput)
