"""The shift order in fat-trees of full bisection, for jobs that are aligned to their subtrees."""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models.errors import InputError

from ..all_to_all import ExchangeOrder
from ..exchange_orders import order_named
from .whole_blocks import whole_blocks


def aligned_shift(
    children: Sequence[int], parents: Sequence[int], nodes: ArrayLike | None, cables: Sequence[int] = ()
) -> ExchangeOrder:
    """Return the shift order of a job in a tree whose uplinks follow from the destination node by D-mod-k.

    Consecutive destinations take different uplinks of a switch, and only one goes down each link: with full bisection a
    subtree has as many links up as nodes, and each leads to one of any as many consecutive nodes. This holds for jobs
    on whole subtrees of one level, all within one subtree of the level above: on any leaves of a two-level tree, but in
    higher trees on leaves of one pod, or on whole pods.

    Parameters
    ----------
    children, parents, cables
        As in `xgft`.
    nodes : int[processes]
        The nodes of the job, in ascending order; all by default.

    Raises
    ------
    InputError
        If a level has no full bisection, or the job is not aligned.

    References
    ----------
    Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010.

    Examples
    --------
    >>> aligned_shift((2, 2, 4), (1, 2, 2), range(4, 8)).phases
    3
    """
    parallel = tuple(cables) or (1,) * len(children)
    down, up = list(map(mul, children, parallel)), list(map(mul, parents, parallel))
    for level, (below, above) in enumerate(zip(down, up[1:], strict=False), start=1):
        if below != above:
            raise InputError(
                f"order: a switch of level {level} has {below} links down and {above} links up; expected full "
                "bisection, as many of either"
            )
    sizes = list(accumulate(children, mul))
    leaves = whole_blocks(nodes, sizes[-1], sizes[0], "leaf")
    # The smallest subtree that contains the job; the job fills whole subtrees of the level below.
    top = next(level for level, size in enumerate(sizes) if len(np.unique(leaves * sizes[0] // size)) == 1)
    block = sizes[max(top - 1, 0)]
    chosen: NDArray[np.int64] = (leaves[:, None] * sizes[0] + np.arange(sizes[0])).ravel()
    whole_blocks(chosen, sizes[-1], block, f"level-{max(top, 1)} subtree")
    return order_named("shift", chosen)
