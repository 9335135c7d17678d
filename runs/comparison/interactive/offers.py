"""What a family offers at every position of the sliders: the designs that are the cheapest somewhere."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Family, InputError, Network, PriceList
from isoplane.models.site.prices import PartClass, multiplied
from isoplane.objectives.costs.bill import Needs, unit_cents
from isoplane.objectives.general import GeneralExact, general_metrics

from ..compared_design import size
from ..groups.routes import opensm
from ..request import Request
from ..rows import with_nearest_sizes
from ..sizes.plane_counts import Arrangement
from ..sizes.sized_design import BREAKS, Miss, SizedDesign
from ..sizes.sizing import in_order_of_ids, on_site, parts_of
from ..tables import design_text
from .envelope import Position, envelope
from .sliders import ALIKE, Limits, at_steps, multiples_of, shape_of

Json = Any


def offers(job: tuple[Arrangement, tuple[Request, Limits]]) -> Json:
    """Return the designs of an arrangement that are chosen at some position of the sliders, and where.

    Parameters
    ----------
    job
        The arrangement; and the request, at the prices of the catalogue, with the longest cables in descending order.

    Returns
    -------
    dict
        ``family`` and ``planes`` of a comparison of these designs alone. ``designs``: for each its name and numbers,
        with longest cable, delay and prices of classes of parts for racks in order and, if they differ, by the rule of
        the layout. ``choices``: for each longest cable and throughput the ``pairs`` of a design and racks of which the
        cheapest one is chosen, and ``said``, which one at positions where their prices do not say it. Where there is
        none, that is a negative number, -1 for the first of ``misses``; without any design at all it is ``miss`` alone,
        that of the lowest prices. ``misses``: what they say and break without a limit of prices (`Miss`), with the
        design that is nearest, -1 for none.
    """
    arrangement, (request, limits) = job
    rule, choices = _Sizing(arrangement, request, limits), list[list[Json]]()
    for place in range(len(limits)):
        choices.append([rule.choices(least, place) for least in request.throughputs])
    designs = [_design_json(arrangement, design, request) for design in rule.designs.values()]
    where = {"title": arrangement.title, "family": arrangement.family, "planes": arrangement.planes}
    return {**where, "kind": arrangement.kind, "designs": designs, "choices": choices, "misses": rule.misses}


class _Sizing:
    """The sizing rule at any position of the sliders.

    Attributes
    ----------
    designs
        The designs that were chosen, or are nearest where none was, by family.
    misses
        Why there was none, as in `offers`.
    """

    def __init__(self, arrangement: Arrangement, request: Request, limits: Limits) -> None:
        self.arrangement, self.request, self.limits = arrangement, request, limits
        self.designs: dict[Family, SizedDesign] = {}
        self.misses: list[Json] = []
        self._chosen: dict[tuple[Position, Fraction, int], Family | Miss] = {}
        self._shape = shape_of(request.site.prices)

    def choices(self, least: Fraction, place: int) -> Json:
        """Return what is chosen for a throughput and a longest cable, as in `offers`."""
        families, said = envelope(
            self._shape, lambda at: self._known(at, least, place), lambda family: self._prices(family, place)
        )
        if not families:
            miss = self._miss((0,) * len(self._shape), least, place)
            return {"miss": self._number(with_nearest_sizes(miss, self.arrangement, self.request, least))}
        index = {family: number for number, family in enumerate(self.designs)}
        pairs = [[index[family], int(not self._is_in_order(family, place))] for family in families]
        for flat in (flat for flat, number in said.items() if number < 0):
            position = tuple(map(int, np.unravel_index(flat, self._shape)))
            said[flat] = -1 - self._number(self._miss(position, least, place))
        return {"pairs": pairs, "said": said}

    def _miss(self, position: Position, least: Fraction, place: int) -> Miss:
        miss = self._choice(position, least, place)
        assert isinstance(miss, Miss)  # where it is asked for
        return miss

    def _number(self, miss: Miss) -> int:
        """Return the number of why there is no design."""
        nearest = -1
        if miss.design is not None:
            self.designs.setdefault(miss.design.family, miss.design)
            nearest = list(self.designs).index(miss.design.family)
        found = {
            "text": miss.text,
            "limits": [list(BREAKS).index(each) for each in miss.limits],
            "value": miss.value,
            "nearest": nearest,
        }
        if found not in self.misses:
            self.misses.append(found)
        return self.misses.index(found)

    def _known(self, position: Position, least: Fraction, place: int) -> Family | None:
        found = self._choice(position, least, place)
        return None if isinstance(found, Miss) else found

    def _choice(self, position: Position, least: Fraction, place: int) -> Family | Miss:
        key = position, least, place
        if key not in self._chosen:
            free = self._choice(position, least, place - 1) if place else None
            # What is chosen without a limit is chosen with it, if its cables are short enough.
            if not isinstance(free, Family) or self._longest_mm(free, place - 1) > (self.limits[place] or 0):
                found = size(self.arrangement, self._request(position, place), least)
                if isinstance(found, SizedDesign):
                    self.designs.setdefault(found.family, found)
                free = found.family if isinstance(found, SizedDesign) else found
            self._chosen[key] = free
        return self._chosen[key]

    def _request(self, position: Position, place: int) -> Request:
        site = self.request.site
        return replace(
            self.request, cable_mm=self.limits[place], site=replace(site, prices=_prices_at(site.prices, position))
        )

    def _is_in_order(self, family: Family, place: int) -> bool:
        """Whether a chosen design was priced with racks in order: unless its cables are too long then."""
        with suppress(InputError):
            longest, _ = parts_of(family, self.request, in_order=True)
            limit = self.limits[place]
            return limit is None or longest <= limit
        return False

    def _longest_mm(self, family: Family, place: int) -> int:
        return parts_of(family, self.request, in_order=self._is_in_order(family, place))[0]

    def _prices(self, family: Family, place: int) -> NDArray[np.int64]:
        """Return the price of a chosen design in cents at all positions."""
        _, needs = parts_of(family, self.request, in_order=self._is_in_order(family, place))
        total = np.zeros(self._shape, dtype=np.int64)
        for axis, cents in enumerate(class_cents(needs, self.request.site.prices)):
            along = [-1 if axis == other else 1 for other in range(len(self._shape))]
            total += np.array(cents[: self._shape[axis]]).reshape(along)
        return total


@lru_cache(maxsize=1 << 14)
def _prices_at(prices: PriceList, position: Position) -> PriceList:
    """Return a catalogue at a position of the sliders."""
    sliders = zip(multiples_of(prices).items(), position, strict=True)
    return multiplied(prices, {name: steps[step] for (name, steps), step in sliders if name not in ALIKE})


def class_cents(needs: Needs, prices: PriceList) -> list[list[int]]:
    """Return the price in cents of the parts of each class at each step of its slider."""
    return [
        [
            sum(count * unit_cents(at, kind, part) for kind, part, count in _parts_of_class(needs, prices, name))
            for at in at_steps(prices, name)
        ]
        for name in prices.classes
    ]


def _parts_of_class(needs: Needs, prices: PriceList, name: PartClass) -> Iterator[tuple[str, int, int]]:
    """Yield kind, ports or length, and number of the parts of a class."""
    for kind, counts in needs.items():
        for part, count in counts.items():
            if name == (kind if kind in ("switch", "nic") else prices.cable_class(prices.cable_for_mm(part)[0])):
                yield kind, part, count


def _design_json(arrangement: Arrangement, design: SizedDesign, request: Request) -> Json:
    family, site = design.family, request.site
    in_order, by_rule = in_order_of_ids(family, site), on_site(family, site)
    racks = [_racks_json(in_order, request, in_order=True)]
    if in_order != by_rule:
        racks.append(_racks_json(by_rule, request, in_order=False))
    return {
        "name": design_text(arrangement, design),
        "throughput": float(design.throughput),
        "nodes": family.nodes,
        "switches": family.switches,
        "cables": family.cables,
        "opensm": opensm(by_rule),
        "racks": racks,
    }


def _racks_json(network: Network, request: Request, *, in_order: bool) -> Json:
    """Return what depends on the racks; None if the catalogue lacks a cable."""
    try:
        longest_mm, needs = parts_of(network.family, request, in_order=in_order)
    except InputError:
        return None
    metrics = general_metrics(network, GeneralExact(network))
    return {
        "longest_mm": longest_mm,
        "delay_ns": metrics["delay_ns"],
        "diameter": metrics["diameter"],
        "cents": class_cents(needs, request.site.prices),
    }
