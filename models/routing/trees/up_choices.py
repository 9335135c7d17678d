"""Uplinks in trees by destination: D-mod-k, or a random hash."""

from collections.abc import Callable, Mapping

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int
from isoplane.models.errors import InputError

DEFAULT_SEED, MAX_SEED = 1, (1 << 63) - 1


def destination_hashes(nodes: int, seed: int) -> Ints:
    """Return a pseudorandom number from 0 to 2⁶³ - 1 for each node: the outputs of SplitMix64, without the lowest bit.

    Parameters
    ----------
    nodes
        Number of nodes.
    seed
        Initial state of the generator.

    References
    ----------
    Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.

    Examples
    --------
    >>> (destination_hashes(4, seed=1) % 4).tolist()
    [0, 3, 3, 1]
    """
    # Sums and products wrap modulo 2^64, as SplitMix64 wants them.
    state = np.uint64(seed) + np.arange(1, nodes + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((state ^ (state >> np.uint64(31))) >> np.uint64(1)).astype(np.int64)


# The number of each destination node that, modulo the numbers of uplinks, selects the uplinks to it.
UP_ROUTINGS: Mapping[str, Callable[[int, int], Ints]] = {
    "d_mod_k": lambda nodes, seed: np.arange(nodes),
    "random": destination_hashes,
}


def up_choices(routing: str, nodes: int, seed: int) -> Ints:
    """Return the number of each destination node that selects the uplinks to it, as int64[nodes].

    With w₂ uplinks at level 1, w₃ at level 2 and so on, packets to a node with number c take uplink c mod w₂, then
    uplink ⌊c / w₂⌋ mod w₃, and so on: the digits of c. So c modulo w₂ w₃ ... is the common ancestor of all routes.

    Parameters
    ----------
    routing
        ``d_mod_k``: the node itself; ``random``: a hash of it.
    nodes
        Number of nodes.
    seed
        Seed of the hash.

    References
    ----------
    Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010.
    Rodriguez et al., Oblivious Routing Schemes in Extended Generalized Fat Tree Networks, 2009.

    Examples
    --------
    >>> up_choices("d_mod_k", 4, 1).tolist()
    [0, 1, 2, 3]
    """
    return UP_ROUTINGS[routing](nodes, seed)


def require_d_mod_k(routing: str) -> None:
    """Raise an `InputError` unless consecutive destinations take different uplinks, as contention-free orders assume.

    Examples
    --------
    >>> require_d_mod_k("random")
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.routing=random: no contention-free order; expected d_mod_k
    """
    if routing != "d_mod_k":
        raise InputError(f"network.routing={routing}: no contention-free order; expected d_mod_k")


def check_up_routing(routing: object, seed: object) -> None:
    """Check a choice of uplinks and its seed.

    Examples
    --------
    >>> check_up_routing("d_mod_k", 2)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.seed=2: has no effect; allowed with network.routing=random
    """
    if routing not in tuple(UP_ROUTINGS):
        raise InputError(f"network.routing={routing!r}: expected {', '.join(UP_ROUTINGS)}")
    if check_int("network.seed", seed, 0, MAX_SEED) != DEFAULT_SEED and routing != "random":
        raise InputError(f"network.seed={seed}: has no effect; allowed with network.routing=random")
