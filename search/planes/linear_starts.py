"""Linear planes, over GF(2) and then over Z4, as starts of a search."""

from collections.abc import Generator
from functools import lru_cache

import numpy as np

from .. import _native
from ..core.chain_setup import ChainKind
from ..core.strategy import Round
from .space import Relabellings

# Temperatures relative to the mean change by a random move. Planes of cubes freeze like crystals between the two: by
# exchanges, those of n = 9 between 3 hops and 1, where that change is 16 hops.
WALK = ChainKind(
    "RelabellingAnnealing",
    "RelabellingWalk",
    (("hottest", 0.2), ("coolest", 0.06), ("first_leg", 20_000), ("growth", 1.5)),
)
LINEAR = ChainKind(
    "LinearAnnealing", "LinearWalk", (("hottest", 0.2), ("coolest", 0.12), ("first_leg", 50_000), ("growth", 1.2))
)
ADDITIVE = ChainKind(
    "AdditiveAnnealing", "AdditiveWalk", (("hottest", 0.4), ("coolest", 0.1), ("first_leg", 20_000), ("growth", 1.0))
)
LOADS = ChainKind(
    "LinearLoadAnnealing",
    "LinearLoadWalk",
    (("hottest", 0.4), ("coolest", 0.03), ("first_leg", 50_000), ("growth", 1.2)),
)
STREAM = 1 << 32  # of random numbers, beyond those of the chains
CALLS = 8  # of a walk: several in a second
LINEAR_EVALUATIONS = 1 << 19
ADDITIVE_EVALUATIONS = 1 << 12  # for each vertex and plane to relabel; short cycles are as good as long ones
MOST_EVALUATIONS = 1 << 22


def linear_starts(space: Relabellings, seed: int, is_by_load: bool, replayed: bool) -> Generator[Round, None, None]:
    """Yield the identical planes, then the best of planes that are linear over GF(2), and over Z4 and GF(2).

    They have short paths. Over Z4 these also load links evenly, but not over GF(2), where other walks minimise loads.

    Parameters
    ----------
    space
        A space over GF(2)^n.
    seed
        Seed of the search.
    is_by_load
        Whether the search is by loads: then only planes over Z4 are tried.
    replayed
        Whether the search resumes from a checkpoint.
    """
    task, evaluations, best = task_of(space), 0, space.candidate(space.baseline)
    yield Round(0, (best,), replayed=replayed)
    for_all_vertices = ADDITIVE_EVALUATIONS * len(space.node_switches) * (space.family.planes - 1)
    walks = [(ADDITIVE, min(for_all_vertices, MOST_EVALUATIONS))]
    if not is_by_load:
        walks.insert(0, (LINEAR, LINEAR_EVALUATIONS))
    for kind, number in walks:
        walk = getattr(_native, kind.native)(task, seed, STREAM, best, **dict(kind.settings))
        for _ in range(CALLS):
            walk.run(number // CALLS)
            evaluations += number // CALLS
            best = tuple(walk.designs()[0])
            yield Round(evaluations, (best,), replayed=replayed)


@lru_cache(maxsize=8)
def task_of(space: Relabellings, more: int = 0) -> _native.RelabellingTask:
    """Return the native task of a space, for its planes and some more like plane 0."""
    planes, distances = space.family.planes, space.distances
    if space.family.folded is not None:
        distances = np.concatenate([space.distances_of_places(plane) for plane in [*range(planes), *[0] * more]])
    return _native.RelabellingTask(distances.shape[1], planes + more, distances.astype("uint8").tobytes())
