"""Jobs on whole blocks of consecutive nodes, such as leaves, layers or pods."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models.errors import InputError


def whole_blocks(nodes: ArrayLike | None, total: int, block: int, title: str) -> NDArray[np.int64]:
    """Return the blocks whose nodes a job uses, in ascending order.

    Parameters
    ----------
    nodes : int[processes]
        The nodes of the job, in ascending order; all by default.
    total
        Number of nodes of the network.
    block
        Nodes of a block, a divisor of `total`.
    title
        What a block is, for messages, such as ``leaf``.

    Raises
    ------
    InputError
        If the nodes are out of range or not in ascending order, or a block is used in part.

    Examples
    --------
    >>> whole_blocks([2, 3, 6, 7], total=8, block=2, title="leaf").tolist()
    [1, 3]
    """
    if nodes is None:
        return np.arange(total // block)
    chosen = np.asarray(nodes, dtype=np.int64)
    if chosen.ndim != 1 or len(chosen) < 2 or chosen.min() < 0 or chosen.max() >= total:
        raise InputError(f"order: nodes of a job; expected at least two, from 0 to {total - 1}")
    if (np.diff(chosen) <= 0).any():
        raise InputError("order: nodes of a job; expected each once, in ascending order")
    used, count = np.unique(chosen // block, return_counts=True)
    partial = np.flatnonzero(count != block)
    if len(partial):
        raise InputError(
            f"order: {count[partial[0]]} of {block} nodes of {title} {used[partial[0]]}; expected whole ones, such as "
            f"nodes {used[partial[0]] * block} to {(used[partial[0]] + 1) * block - 1}"
        )
    return used
