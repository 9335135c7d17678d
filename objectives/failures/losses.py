"""Networks that have lost a switch, a rack or a plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int

from ..general.arrays import in_threads
from .routed import Baseline, RelativeRange, relative_range

MAX_CASES, SAMPLED_CASES = 64, 16
LARGE_SWITCHES, SAMPLED_CASES_OF_LARGE = 1024, 4


@dataclass(frozen=True)
class LossSummary:
    """What remains of a network over cases that each lose one part: each switch, rack or plane, or some of them.

    Parameters
    ----------
    parts, cases
        Number of parts, and number of those that were evaluated.
    mean_lost_nodes, max_lost_nodes
        Mean and maximum of the number of nodes that cannot communicate with all others.
    throughput
        All-to-all throughput per node among the remaining nodes, as far as all links allow it, those of nodes included
        (`Baseline.throughput`), relative to that of `Baseline.rerouted`; 0 if none remains. A case in which no link
        carries load is left out; None if there are no others.
    worst
        Number of the part without which the throughput is worst, the first of several; None if it is the same for all.
        Repaired routes break ties by order, so that it may differ between parts that are alike.
    """

    parts: int
    cases: int
    mean_lost_nodes: Fraction
    max_lost_nodes: int
    throughput: RelativeRange | None
    worst: int | None


def switch_lost(network: Network, seed: int = 1, baseline: Baseline | None = None) -> LossSummary:
    """Return what remains of a network if one switch fails: each of up to 64 switches, else some at random.

    Of more than 64 switches 16 are drawn, and 4 of more than 1,024.

    Parameters
    ----------
    network
        A network without circuits.
    seed
        Seed of the choice.
    baseline
        The `Baseline` of the network, if it is known.

    Raises
    ------
    InputError
        If the seed is out of range, the network has circuits, or as for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> lost = switch_lost(Network(Torus(shape=(5,))))  # a path of four switches, whose middle carries 2·2 packets
    >>> lost.cases, lost.max_lost_nodes, lost.throughput.worst  # 4/4 of 5/3
    (5, 1, Fraction(3, 5))
    """
    switches = np.arange(sum(network.plane_switches))
    return _summary(baseline or Baseline(network), switches[:, None], seed)


def rack_lost(
    network: Network, rack: Sequence[ArrayLike], seed: int = 1, baseline: Baseline | None = None
) -> LossSummary:
    """Return what remains of a network if all switches of one rack fail: each of up to 64 racks, else some at random.

    Of more than 64 racks 16 are drawn, and 4 if there are more than 1,024 switches.

    Parameters
    ----------
    network
        A network without circuits.
    rack : int[switches], one per plane
        The rack of each switch; planes share racks with the same number.
    seed
        Seed of the choice.
    baseline
        The `Baseline` of the network, if it is known.

    Raises
    ------
    InputError
        As for `switch_lost`, or if there is not one rack per switch.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> lost = rack_lost(Network(Torus(shape=(6,))), [[0, 0, 1, 1, 2, 2]])
    >>> lost.cases, lost.mean_lost_nodes
    (3, Fraction(2, 1))
    """
    of_switch = [np.asarray(racks) for racks in rack]
    if [racks.shape for racks in of_switch] != [(switches,) for switches in network.plane_switches]:
        raise InputError(
            f"rack: arrays of shapes {[racks.shape for racks in of_switch]}; expected one rack per switch, "
            f"{list(network.plane_switches)} in the planes"
        )
    racks = np.concatenate(of_switch)
    parts = [np.flatnonzero(racks == number) for number in np.unique(racks)]
    return _summary(baseline or Baseline(network), parts, seed)


def plane_lost(network: Network, baseline: Baseline | None = None) -> LossSummary:
    """Return what remains of a network if all switches of one plane fail, for each of its planes.

    Parameters
    ----------
    network
        A network without circuits.
    baseline
        The `Baseline` of the network, if it is known.

    Raises
    ------
    InputError
        If the network has circuits, or as for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> plane_lost(dual_cube(3, (1, 2, 4))).throughput.mean  # half of that of two planes
    Fraction(1, 2)
    """
    starts = np.cumsum([0, *network.plane_switches])
    return _summary(baseline or Baseline(network), [np.arange(a, b) for a, b in pairwise(starts)], seed=1)


def _summary(baseline: Baseline, parts: Sequence[Ints] | Ints, seed: int) -> LossSummary:
    """Return the summary of the losses of parts, each a set of switches as numbered in `FailureModel`."""
    check_int("seed", seed, 0)
    chosen = np.arange(len(parts))
    if len(parts) > MAX_CASES:
        sample = SAMPLED_CASES if baseline.network.family.switches <= LARGE_SWITCHES else SAMPLED_CASES_OF_LARGE
        chosen = np.sort(np.random.default_rng(seed).choice(len(parts), sample, replace=False))
    model, (*_, rerouted) = baseline.model, baseline.rerouted

    def lost_and_throughput(case: slice) -> tuple[int, Fraction | None]:
        remaining = model.after(switches=parts[chosen[case.start]])
        throughput = Fraction(0) if remaining.network is None else baseline.throughput(remaining.network)
        return remaining.lost, throughput

    lost, throughputs = zip(*in_threads(lost_and_throughput, len(chosen), 1, "failed switches"), strict=True)
    rates = {part: rate for part, rate in zip(chosen.tolist(), throughputs, strict=True) if rate is not None}
    return LossSummary(
        len(parts),
        len(chosen),
        Fraction(sum(lost), len(lost)),
        max(lost),
        relative_range(throughputs, rerouted, min),
        min(rates, key=lambda part: rates[part]) if len(set(rates.values())) > 1 else None,
    )
