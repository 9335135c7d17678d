"""Share of a packet that each path carries, from the lengths of all paths."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints

FAR = np.iinfo(np.int32).max  # longer than any path


def carrying_planes(network: Network) -> list[int]:
    """Return the planes that carry packets: all except those with a share of 0.

    Raises
    ------
    InputError
        If the policy depends on queues.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> carrying_planes(dual_cube(3, (3, 5, 7)))
    [0, 1]
    """
    policy, planes = network.policy, list(range(len(network.planes)))
    if policy in ("adaptive", "spill"):
        raise InputError(f"network.policy={policy}: loads depend on queues; expected nearest, spray or plane shares")
    return planes if isinstance(policy, str) else [plane for plane in planes if policy[plane]]


def path_shares(network: Network, lengths: list[Ints]) -> Iterator[tuple[Ints, Ints]]:
    """Yield, per plane, the share of every path in lowest terms: numerators and denominators.

    Parameters
    ----------
    network
        The network, whose policy determines the paths that share a packet.
    lengths : int64[attachments, links of the source, links of the destination], per plane
        The length of each path; `FAR` if there is none.

    Raises
    ------
    InputError
        If the policy depends on queues.
    RuntimeError
        If an attachment has no path.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> near, far = np.array([[[1]]]), np.array([[[2]]])
    >>> shares = path_shares(dual_cube(3, (3, 5, 7)), [near, far])
    >>> [(int(weight.sum()), int(denominator.sum())) for weight, denominator in shares]
    [(1, 1), (0, 1)]
    """
    carrying = carrying_planes(network)
    nearest = [
        each.min(axis=(1, 2), initial=FAR) if plane in carrying else np.full(len(each), FAR)
        for plane, each in enumerate(lengths)
    ]
    if (np.minimum.reduce(nearest) == FAR).any():
        raise RuntimeError("two nodes have no plane in common")
    if network.policy == "nearest":
        nearest = [np.minimum.reduce(nearest)] * len(lengths)
    taken = [(each == shortest[:, None, None]) & (each < FAR) for each, shortest in zip(lengths, nearest, strict=True)]
    counts = [each.sum(axis=(1, 2)) for each in taken]
    for plane, (paths, count) in enumerate(zip(taken, counts, strict=True)):
        if network.policy == "nearest":
            weight, denominator = 1, sum(counts)
        else:
            weights = [1] * len(lengths) if isinstance(network.policy, str) else list(network.policy)
            weight = weights[plane]
            denominator = count * sum(
                each * (paths_of_plane > 0) for each, paths_of_plane in zip(weights, counts, strict=True)
            )
        common = np.gcd(weight, denominator)
        yield (
            paths * (weight // np.maximum(common, 1))[:, None, None],
            np.broadcast_to((denominator // np.maximum(common, 1))[:, None, None], paths.shape),
        )
