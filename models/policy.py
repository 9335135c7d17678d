"""Plane policies: the choice of the plane for each packet."""

from typing import Literal, get_args

from .checks import check_int
from .errors import InputError

NamedPolicy = Literal["nearest", "spray", "adaptive"]
Policy = NamedPolicy | tuple[int, ...]

MAX_SHARE = 1024


def check_policy(name: str, value: object, planes: int) -> Policy:
    """Return a value if it is a valid plane policy for a number of planes.

    ``nearest``: the plane with the shortest route; tied planes are used in turn or in equal parts. ``spray``: all
    planes that reach the destination, in turn or in equal parts. ``adaptive``: of these planes, the one with the
    shortest queue at the source. Shares: all of them, in proportion to one integer per plane.

    Raises
    ------
    InputError
        If it is none of these, or the shares are not one per plane with a positive sum.

    Examples
    --------
    >>> check_policy("network.policy", [2, 1], 2)
    (2, 1)
    """
    if isinstance(value, str) and value in get_args(NamedPolicy):
        return value  # type: ignore[return-value]  # one of the literals
    allowed = f"{', '.join(get_args(NamedPolicy))}, or one share per plane such as {[1] * planes}"
    if not isinstance(value, (list, tuple)) or len(value) != planes:
        raise InputError(f"{name}={value!r}: expected {allowed}")
    shares = tuple(check_int(f"{name}[{plane}]", share, 0, MAX_SHARE) for plane, share in enumerate(value))
    if not sum(shares):
        raise InputError(f"{name}={list(shares)}: expected at least one positive share")
    return shares


def plane_weights(policy: Policy, planes: int) -> tuple[int, ...] | None:
    """Return the weight of each plane; None if traffic is split over the shortest paths of all planes.

    Raises
    ------
    InputError
        If the policy is ``adaptive``, which depends on queues.

    Examples
    --------
    >>> plane_weights("spray", 3)
    (1, 1, 1)
    """
    if policy == "adaptive":
        raise InputError(
            "network.policy=adaptive: its loads depend on queues; expected nearest, spray or shares, whose loads "
            "follow from the routes"
        )
    if policy == "nearest":
        return None
    return (1,) * planes if policy == "spray" else policy


def with_empty_queues(policy: Policy) -> Policy:
    """Return the equivalent policy for empty queues.

    With empty queues, ``adaptive`` uses all planes in turn, like ``spray``.

    Examples
    --------
    >>> with_empty_queues("adaptive"), with_empty_queues("nearest")
    ('spray', 'nearest')
    """
    return "spray" if policy == "adaptive" else policy
