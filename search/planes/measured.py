"""Relabelled planes for any objective and within limits: what walks measure of each, after every move."""

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainKind
from ..core.measure import measure_of
from ..core.space import Candidate
from .objectives import HOPS
from .space import Relabellings
from .walked_starts import task_of

MEASURED = ChainKind(
    "MeasuredAnnealing",
    "MeasuredWalk",
    (("hottest", 0.2), ("coolest", 0.02), ("first_leg", 300), ("growth", 1.5)),
)
MEASURED_LINEAR = ChainKind(
    "MeasuredLinearAnnealing",
    "MeasuredLinearWalk",
    (("hottest", 0.2), ("coolest", 0.05), ("first_leg", 300), ("growth", 1.5)),
)
# Integers that follow from distances within the planes; others take an evaluation of the network.
OF_TABLES = frozenset({HOPS, "diameter", "plane_fault_hops", "plane_fault_diameter"})

PAIRS_IN_A_ROUND = 1 << 20  # of switches in all planes, for scores of such integers: a fraction of a second
FEW_PAIRS = 512  # take as long as fewer
WHOLE_TIME = 16  # of an evaluation of the network, relative to one by distances alone


def measured_task(space: Relabellings, objective: Lexicographic) -> _native.MeasuredTask:
    """Return the native task of a space for an objective: energies are about 1 for identical planes.

    Stacks move in the racks like the switches of one more plane, whose distances the function does not ask for.
    """
    function = measure_of(objective, partial(_integers, space, objective), space.candidate(space.baseline))
    return _native.MeasuredTask(task_of(space, int(space.varies_stacks(objective))), function)


def evaluations_in_a_round(space: Relabellings, objective: Lexicographic) -> int:
    """Return the number of evaluations for which a walk runs without a pause."""
    pairs = max(FEW_PAIRS, space.family.planes * len(space.node_switches) ** 2)
    return max(1, PAIRS_IN_A_ROUND // (pairs * (1 if OF_TABLES.issuperset(objective.metrics) else WHOLE_TIME)))


def _integers(
    space: Relabellings, objective: Lexicographic, names: tuple[str, ...], places: Candidate
) -> dict[str, int]:
    """Return exact integers of the planes with some places."""
    others = tuple(name for name in names if name not in OF_TABLES)
    exact = dict(objective.evaluator.exact(space.design(places), others)) if others else {}
    pairs, hops = int(space.node_counts.max()) ** 2, _hops_in_planes(space, places)
    least = np.minimum.reduce(hops)
    exact |= {HOPS: pairs * int(least.sum(dtype=np.int64)), "diameter": int(least.max())}
    if {"plane_fault_hops", "plane_fault_diameter"} & {*names}:
        left = [np.minimum.reduce([*hops[:lost], *hops[lost + 1 :]]) for lost in range(len(hops))]
        exact["plane_fault_hops"] = pairs * max(int(each.sum(dtype=np.int64)) for each in left)
        exact["plane_fault_diameter"] = max(int(each.max()) for each in left)
    return exact


def _hops_in_planes(space: Relabellings, places: Sequence[int]) -> list[Ints]:
    """Return the hops between every two switches with nodes in each plane."""
    first, *further = _tables(space)
    own = np.reshape(space.with_stacks(tuple(places), False), (len(further), -1))
    return [first, *(table[np.ix_(at, at)] for table, at in zip(further, own, strict=True))]


@lru_cache(maxsize=8)
def _tables(space: Relabellings) -> list[Ints]:
    """Return the hops between places in each plane."""
    planes = range(space.family.planes)
    if space.family.folded is None:
        return [space.distances.astype(np.uint8)] * len(planes)
    return [space.distances_of_places(plane).astype(np.uint8) for plane in planes]
