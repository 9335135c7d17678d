"""What the sliders of the page say: sizes, limits and prices, and the requests that they stand for."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from isoplane.models import InputError, PriceList
from isoplane.models.checks import exact_number, shown
from isoplane.models.site.prices import PartClass, multiplied
from isoplane.runs.config.config_values import group

from ..request import MAX_NODES, MAX_PORTS, Request, request_of
from ..rows import Row

Limits = tuple[int | None, ...]  # longest cables in millimetres, None for any, which comes first
Sliders = tuple[tuple[Request, ...], Limits]  # for all numbers of nodes and ports, nodes first; and longest cables
LONGEST = "longest_cable_m"
INTERACTIVE = "interactive"  # the choice of the group `page` with sliders
ALIKE = ("nic",)  # classes of which all designs have the same parts, so that their prices decide nothing
STEP = Fraction(1, 20)  # of the multiples of prices
COMMON_PORTS = (16, 24, 32, 36, 40, 48, 64, 80, 96, 128)
MAX_MACHINES, MAX_LIMITS = 64, 16


def sliders_of(config: Mapping[str, Any], request: Request) -> Sliders | None:
    """Return the positions of the sliders of a comparison; None if its page has none.

    Raises
    ------
    InputError
        If a position is none, or if there are existing designs, which have no other sizes, or multiples of prices.
    """
    page = group(config, "page")
    if page["name"] != INTERACTIVE:
        return None
    multiples = group(config, "prices").get("multiples")
    for name, value in (("existing", config["existing"]), ("prices.multiples", multiples)):
        if value:
            raise InputError(f"{name}={shown(value)}: has no effect on the sliders of page=interactive; expected null")
    return _machines(config, page, request), _cable_limits_mm(page["cable_m"], request)


def _machines(config: Mapping[str, Any], page: Mapping[str, Any], request: Request) -> tuple[Request, ...]:
    """Return the requests for all numbers of nodes and ports, nodes first, without limits."""
    larger = COMMON_PORTS[bisect_right(COMMON_PORTS, request.ports) :][:1]
    halves = dict.fromkeys((max(2, request.nodes // 2), request.nodes, min(2 * request.nodes, MAX_NODES)))
    nodes = _numbers("page.nodes", page["nodes"], request.nodes, tuple(halves))
    ports = _numbers("page.ports", page["ports"], request.ports, (request.ports, *larger))
    if len(nodes) * len(ports) > MAX_MACHINES:
        raise InputError(
            f"page: {len(nodes)} numbers of nodes and {len(ports)} of ports; expected {MAX_MACHINES} pairs"
        )
    requests = (
        request_of({**config, "nodes": count, "ports": of_switch}) for count, of_switch in product(nodes, ports)
    )
    return tuple(replace(each, budget_cents=None, cable_mm=None) for each in requests)


def _cable_limits_mm(given: object, request: Request) -> Limits:
    """Return the longest cables that are given or asked for, in descending order; none if none are given."""
    if given is None:
        return ()
    values = given if isinstance(given, list) else [given]
    if len(values) > MAX_LIMITS:
        raise InputError(f"page.cable_m={shown(given)}: expected at most {MAX_LIMITS} lengths")
    lengths = {int(exact_number("page.cable_m", each) * 1000) for each in values if each is not None}
    return _descending({request.cable_mm, *lengths, *([None] if None in values else [])})


def with_cables_of(sliders: Sliders, request: Request, rows: Sequence[Row]) -> Sliders:
    """Return the sliders with longest cables that designs of a comparison have, unless lengths are given.

    These are the lengths of the catalogue from the median of the longest cables of the designs to the longest of all.
    Shorter ones leave few families, which takes long to find out; longer ones limit none of the designs.
    """
    requests, limits = sliders
    if limits:
        return sliders
    longest = sorted(1000 * float(row.values[LONGEST] or 0) for row in rows if row.design is not None)
    sold = sorted(round(1000 * length) for length in request.site.prices.cables_usd)
    between = [mm for mm in sold if longest and longest[(len(longest) - 1) // 2] <= mm <= longest[-1]]
    return requests, _descending({None, request.cable_mm, *between[-MAX_LIMITS:]})


def _descending(limits: set[int | None]) -> Limits:
    return tuple(sorted(limits, key=lambda mm: (mm is not None, -(mm or 0))))


def multiples_of(prices: PriceList) -> dict[str, tuple[Fraction, ...]]:
    """Return the multiples of the price of each class of parts on its slider: the steps within its range, and 1.

    Examples
    --------
    >>> found = multiples_of(PriceList(ranges={"nic": (0.9, 1.12)}))
    >>> [str(multiple) for multiple in found["nic"]], [len(multiples) for multiples in found.values()]
    (['9/10', '19/20', '1', '21/20', '11/10'], [1, 5, 1])
    """
    ranges = {name: prices.ranges.get(name, (1, 1)) for name in prices.classes}
    ends = {name: tuple(exact_number("", end) for end in pair) for name, pair in ranges.items()}
    return {
        name: tuple(STEP * step for step in range(-(-low // STEP), high // STEP + 1))
        for name, (low, high) in ends.items()
    }


@lru_cache(maxsize=64)
def at_steps(prices: PriceList, name: PartClass) -> tuple[PriceList, ...]:
    """Return a catalogue at each step of the slider of a class of parts."""
    return tuple(multiplied(prices, {name: multiple}) for multiple in multiples_of(prices)[name])


def shape_of(prices: PriceList) -> tuple[int, ...]:
    """Return the number of steps of the slider of each class of parts: 1 for a class whose prices decide nothing."""
    return tuple(1 if name in ALIKE else len(multiples) for name, multiples in multiples_of(prices).items())


def _numbers(key: str, value: object, asked: int, default: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of a slider, ascending, with the one that is asked for."""
    if value is None:
        return default
    given = value if isinstance(value, list) else [value]
    high = MAX_NODES if key == "page.nodes" else MAX_PORTS
    for number in given:
        if isinstance(number, bool) or not isinstance(number, int) or not 2 <= number <= high:
            raise InputError(f"{key}={shown(value)}: expected integers from 2 to {high}")
    return tuple(sorted({*given, asked}))
