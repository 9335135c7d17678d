"""Plane policies: which plane a packet takes."""

from typing import Literal, get_args

from .checks import check_int
from .errors import InputError

Named = Literal["nearest", "spray", "adaptive"]
Policy = Named | tuple[int, ...]

MAX_SHARE = 1024


def check_policy(name: str, value: object, planes: int) -> Policy:
    """Return a plane policy, if it is one for so many planes.

    ``nearest``: the plane in which the destination is nearest, in turn or in equal parts where several are. ``spray``:
    all planes that reach the destination, in turn or in equal parts. ``adaptive``: of these the one whose queue at the
    source is shortest. Shares: all of them, in proportion to one integer for each plane.

    Raises
    ------
    InputError
        If it is none of these, or the shares are not one for each plane with a positive sum.

    Examples
    --------
    >>> check_policy("network.policy", [2, 1], 2)
    (2, 1)
    """
    if isinstance(value, str) and value in get_args(Named):
        return value  # type: ignore[return-value]  # one of the literals
    allowed = f"{', '.join(get_args(Named))}, or a share of each of {planes} planes such as {[1] * planes}"
    if not isinstance(value, (list, tuple)) or len(value) != planes:
        raise InputError(f"{name}={value!r}: expected {allowed}")
    shares = tuple(check_int(f"{name}[{plane}]", share, 0, MAX_SHARE) for plane, share in enumerate(value))
    if not sum(shares):
        raise InputError(f"{name}={list(shares)}: expected shares of which at least one is positive")
    return shares


def plane_weights(policy: Policy, planes: int) -> tuple[int, ...] | None:
    """Return the weight by which each plane shares a packet; None where the shortest ways of all planes share it.

    Raises
    ------
    InputError
        If the policy is ``adaptive``: then it depends on queues.

    Examples
    --------
    >>> plane_weights("spray", 3)
    (1, 1, 1)
    """
    if policy == "adaptive":
        raise InputError(
            "network.policy=adaptive: its loads depend on queues; expected nearest, spray or shares where loads are "
            "computed from the routes"
        )
    if policy == "nearest":
        return None
    return (1,) * planes if policy == "spray" else policy


def with_empty_queues(policy: Policy) -> Policy:
    """Return the policy that says which plane a packet takes where all queues are empty.

    Then ``adaptive`` has no reason to prefer a plane: it takes them in turn, as ``spray`` does.

    Examples
    --------
    >>> with_empty_queues("adaptive"), with_empty_queues("nearest")
    ('spray', 'nearest')
    """
    return "spray" if policy == "adaptive" else policy
