"""Plane policies: the choice of the plane for each packet."""

from collections.abc import Mapping
from typing import Literal, get_args

from .checks import check_int
from .errors import InputError

NamedPolicy = Literal["nearest", "spray", "adaptive", "spill"]
Policy = NamedPolicy | tuple[int, ...]

MAX_SHARE = 1024
# The policies that depend on queues, and what they come down to if all are empty.
WITH_EMPTY_QUEUES: Mapping[Policy, Policy] = {"adaptive": "spray", "spill": "nearest"}


def check_policy(name: str, value: object, planes: int) -> Policy:
    """Return a value if it is a valid plane policy for a number of planes.

    ``nearest``: the plane with the shortest route; tied planes are used in turn or in equal parts. ``spray``: all
    planes that reach the destination, in turn or in equal parts. ``adaptive``: of these planes, the one with the
    shortest queue at the source. ``spill``: as ``nearest``, unless its queue at the source is above a threshold and
    above twice that of a farther plane. Shares: all planes, in proportion to one integer per plane.

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
        If the policy is ``adaptive`` or ``spill``, which depend on queues.

    Examples
    --------
    >>> plane_weights("spray", 3)
    (1, 1, 1)
    """
    if depends_on_queues(policy):
        raise InputError(
            f"network.policy={policy}: its loads depend on queues; expected nearest, spray or shares, whose loads "
            "follow from the routes"
        )
    if isinstance(policy, tuple):
        return policy
    return (1,) * planes if policy == "spray" else None


def depends_on_queues(policy: Policy) -> bool:
    """Whether the plane of a packet depends on queues, so that loads do not follow from the routes.

    Examples
    --------
    >>> [depends_on_queues(policy) for policy in ("nearest", "spray", "adaptive", "spill", (2, 1))]
    [False, False, True, True, False]
    """
    return policy in WITH_EMPTY_QUEUES


def with_empty_queues(policy: Policy) -> Policy:
    """Return the equivalent policy for empty queues.

    With empty queues, ``adaptive`` uses all planes in turn, like ``spray``, and ``spill`` is ``nearest``.

    Examples
    --------
    >>> with_empty_queues("adaptive"), with_empty_queues("spill"), with_empty_queues((2, 1))
    ('spray', 'nearest', (2, 1))
    """
    return WITH_EMPTY_QUEUES.get(policy, policy)


def with_all_paths(policy: Policy) -> Policy:
    """Return a policy whose packets take all paths that packets may take, whatever the queues.

    Examples
    --------
    >>> with_all_paths("adaptive"), with_all_paths("spill"), with_all_paths("nearest")
    ('spray', 'spray', 'nearest')
    """
    return "spray" if depends_on_queues(policy) else policy
