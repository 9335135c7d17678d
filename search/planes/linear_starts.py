"""Linear planes, and products of smaller planes, as starts of a search."""

from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache

import numpy as np

from isoplane.models.arrays import Ints

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
LOADS = ChainKind(
    "LinearLoadAnnealing",
    "LinearLoadWalk",
    (("hottest", 0.4), ("coolest", 0.03), ("first_leg", 50_000), ("growth", 1.2)),
)
STREAM = 1 << 32  # of random numbers, beyond those of the chains
CALLS = 8  # of a walk: several in a second
LINEAR_EVALUATIONS = 1 << 19
# Exchanges bring order into 2^8 random places, in cycles of this length for 19 of 20 seeds, but not into twice as many.
FIRST_SIZE, FIRST_EVALUATIONS = 1 << 8, 3 << 23
FIRST_WALK = WALK._replace(settings=(("hottest", 0.15), ("coolest", 0.06), ("first_leg", 500_000), ("growth", 1.1)))
# Of a product, one cool cycle improves the seams and leaves the factors as they are. A walk begins with a random cycle,
# here of no length to speak of.
COOL_LEG, COOL_CYCLE = 64, 1 << 22
COOL_WALK = WALK._replace(
    settings=(("hottest", 0.06), ("coolest", 0.005), ("first_leg", COOL_LEG), ("growth", COOL_CYCLE / COOL_LEG))
)


def linear_starts(
    space: Relabellings, seed: int, replayed: bool, *, has_products: bool = True
) -> Generator[Round, None, None]:
    """Yield the identical planes, then the best of linear planes and, of two large ones, of products of smaller ones.

    If p is good for half of the switches, p(x) and p(x) + half are for all of them, where the cables between the halves
    join x and x + half. So places of 2^8 switches are searched first, then those of twice as many from theirs.

    Parameters
    ----------
    space
        A space over GF(2)^n.
    seed
        Seed of the search.
    replayed
        Whether the search resumes from a checkpoint.
    has_products
        Whether products of smaller planes follow, which take some seconds.
    """
    task, switches = task_of(space), len(space.node_switches)
    best, evaluations = space.candidate(space.baseline), 0
    yield Round(0, (best,), replayed=replayed)
    linear = _walk(LINEAR, task, seed, best)
    for share in _calls(linear, LINEAR_EVALUATIONS):
        evaluations += share
        best = tuple(linear.designs()[0])
        yield Round(evaluations, (best,), replayed=replayed)
    if not has_products or space.family.planes > 2 or space.family.folded is not None or switches <= FIRST_SIZE:
        return
    size, places, kind, number = FIRST_SIZE, list(range(FIRST_SIZE)), FIRST_WALK, FIRST_EVALUATIONS
    while size < switches:
        factor = _walk(kind, _task(space.distances[:size, :size], 2), seed, places)
        for share in _calls(factor, number):
            evaluations += share
            yield Round(evaluations, (best,), replayed=replayed)
        (places,) = factor.designs()
        places = [*places, *(place + size for place in places)]
        size, kind, number = 2 * size, COOL_WALK, COOL_LEG + COOL_CYCLE
    walk = _walk(kind, task, seed, places)
    walk.offer(best)
    for share in _calls(walk, number):
        evaluations += share
        yield Round(evaluations, (tuple(walk.designs()[0]),), replayed=replayed)


_Walk = _native.RelabellingWalk | _native.LinearWalk


def _walk(kind: ChainKind, task: _native.RelabellingTask, seed: int, start: Sequence[int]) -> _Walk:
    walk: _Walk = getattr(_native, kind.native)(task, seed, STREAM, start, **dict(kind.settings))
    return walk


def _calls(walk: _Walk, number: int) -> Iterator[int]:
    """Run a number of evaluations in equal calls, and yield the number of each."""
    for _ in range(CALLS):
        walk.run(number // CALLS)
        yield number // CALLS


@lru_cache(maxsize=8)
def task_of(space: Relabellings, more: int = 0) -> _native.RelabellingTask:
    """Return the native task of a space, for its planes and some more like plane 0."""
    planes = space.family.planes
    if space.family.folded is None:
        return _task(space.distances, planes + more)
    own = [*range(planes), *[0] * more]
    return _task(np.concatenate([space.distances_of_places(plane) for plane in own]), planes + more)


def _task(distances: Ints, planes: int) -> _native.RelabellingTask:
    return _native.RelabellingTask(distances.shape[1], planes, distances.astype("uint8").tobytes())
