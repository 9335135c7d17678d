"""Planes of short paths as starts of a search: linear ones, over GF(2) and then over Z4, and any others."""

from collections.abc import Generator, Sequence
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
# Of each walk, for every place of a candidate, and at most; short cycles of additive ones are as good as long ones.
EVALUATIONS = {
    LINEAR.name: (1 << 19, 1 << 19),
    ADDITIVE.name: (1 << 12, 1 << 22),
    WALK.name: (1 << 16, 1 << 24),  # some seconds
}


def walked_starts(
    space: Relabellings, seed: int, walks: Sequence[ChainKind], replayed: bool
) -> Generator[Round, None, None]:
    """Yield the identical planes, then the best of walks for short paths, each of which begins at the one before.

    Linear planes have short paths. Over Z4 they also load links evenly, but not over GF(2), where other walks minimise
    loads. Exchanges shorten paths further, and a walk within limits evaluates one plane while they try thousands.

    Parameters
    ----------
    space
        A space, over GF(2)^n if walks are linear.
    seed
        Seed of the search.
    walks
        Some of `LINEAR`, `ADDITIVE` and `WALK`.
    replayed
        Whether the search resumes from a checkpoint.
    """
    task, evaluations, best = task_of(space), 0, space.candidate(space.baseline)
    yield Round(0, (best,), replayed=replayed)
    for kind in walks:
        of_place, most = EVALUATIONS[kind.name]
        number = min(of_place * len(best), most)
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
