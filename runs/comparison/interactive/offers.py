"""What a family offers at every position of the sliders: the designs that are the cheapest somewhere."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Family, InputError, Network, PriceList
from isoplane.models.site.prices import PartClass, multiplied
from isoplane.objectives.costs.bill import Needs, unit_cents
from isoplane.objectives.general import GeneralExact, general_metrics

from ..groups.routes import opensm
from ..request import Request
from ..rows import with_nearest_sizes
from ..sizes.plane_counts import Arrangement
from ..sizes.racks import in_order_of_ids, on_site, parts_of
from ..sizes.sized_design import BREAKS, Miss, SizedDesign
from ..sizes.sizing import shortlist
from ..tables import design_text
from .envelope import Position, envelope
from .sliders import ALIKE, Limits, at_steps, multiples_of, shape_of

Json = Any
Ints = NDArray[np.int64]


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
        design that is nearest, -1 for none. ``seconds``: how long it took.
    """
    began = monotonic()
    arrangement, (request, limits) = job
    rule, choices = _Sizing(arrangement, request, limits), list[list[Json]]()
    for place in range(len(limits)):
        choices.append([rule.choices(least, place) for least in request.throughputs])
    designs = [_design_json(arrangement, design, request) for design in rule.designs.values()]
    where = {"title": arrangement.title, "family": arrangement.family, "planes": arrangement.planes}
    found = {"kind": arrangement.kind, "designs": designs, "choices": choices, "misses": rule.misses}
    return {**where, **found, "seconds": monotonic() - began}


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
        self._sized: dict[Family, SizedDesign] = {}  # in the order in which they are found
        self._found: dict[tuple[Position, Fraction, int], tuple[Family, ...] | Miss] = {}
        self._shape = shape_of(request.site.prices)

    def choices(self, least: Fraction, place: int) -> Json:
        """Return what is chosen for a throughput and a longest cable, as in `offers`.

        Of the prices by which members are shortlisted, those of a shortlist have the lowest sum of as many: so the
        shortlists of few positions say where each is the shortlist.
        """
        shortlists, said = envelope(
            self._shape, lambda at: self._shortlist(at, least, place), lambda families: self._sum(families, place)
        )
        if not shortlists:
            miss = self._miss((0,) * len(self._shape), least, place)
            return {"miss": self._number(with_nearest_sizes(miss, self.arrangement, self.request, least))}
        number = np.argmin([self._sum(families, place) for families in shortlists], axis=0)
        number.flat[list(said)] = list(said.values())
        chosen = np.full(self._shape, -1)  # the places of families in `_sized`
        for index, families in enumerate(shortlists):
            is_here = number == index
            chosen[is_here] = self._cheapest(families, is_here, least, place)[is_here]
        return self._pairs(chosen, least, place)

    def _cheapest(self, families: tuple[Family, ...], is_here: NDArray[np.bool_], least: Fraction, place: int) -> Ints:
        """Return the place in `_sized` of the cheapest one of a shortlist at the positions at which it is that."""
        prices = dict[Family, Ints]()  # that is shown, and with racks in order if these are short enough
        for family in families:
            racks = list(self._prices(family, place).values())
            pair = np.stack([np.min(racks, axis=0), racks[0]])
            if not any(np.array_equal(pair, other) for other in prices.values()):  # else the first one is chosen
                prices[family] = pair
        shown, in_order = np.stack(list(prices.values()), axis=1)
        first = np.where(shown == shown.min(axis=0), in_order, np.iinfo(np.int64).max)
        is_first = first == first.min(axis=0)
        index = np.array([list(self._sized).index(family) for family in prices])[is_first.argmax(axis=0)]
        for tie in np.argwhere(is_here & (is_first.sum(axis=0) > 1)).tolist():
            ordered = self._choice(tuple(tie), least, place)
            assert not isinstance(ordered, Miss)  # a shortlist is there
            best = next(
                family for family in ordered if family in prices and is_first[(list(prices).index(family), *tie)]
            )
            index[tuple(tie)] = list(self._sized).index(best)
        found: Ints = index
        return found

    def _pairs(self, chosen: Ints, least: Fraction, place: int) -> Json:
        """Return the designs that are chosen, with their racks, and where another one of them has the lowest price."""
        families, pairs, prices, said = list(self._sized), [], [], {}
        for family in (families[index] for index in np.unique(chosen).tolist() if index >= 0):
            racks, is_here = self._prices(family, place), chosen == families.index(family)
            shown = np.min(list(racks.values()), axis=0)
            self.designs.setdefault(family, self._sized[family])
            for racks_number, cents in racks.items():
                if (is_here & (cents == shown)).any():
                    pairs.append((family, racks_number))
                    prices.append(cents)
        of_pair = np.array([families.index(family) for family, _ in pairs])
        cheapest = np.argmin(prices, axis=0)
        for flat in np.flatnonzero(chosen != of_pair[cheapest]).tolist():
            position = tuple(map(int, np.unravel_index(flat, self._shape)))
            if chosen[position] < 0:
                said[flat] = -1 - self._number(self._miss(position, least, place))
            else:
                said[flat] = int(np.flatnonzero(of_pair == chosen[position])[0])
        numbers = {family: number for number, family in enumerate(self.designs)}
        return {"pairs": [[numbers[family], racks_number] for family, racks_number in pairs], "said": said}

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

    def _shortlist(self, position: Position, least: Fraction, place: int) -> tuple[Family, ...] | None:
        """Return the shortlist at a position, in an order that is the same at all of them; None without one."""
        found = self._choice(position, least, place)
        return None if isinstance(found, Miss) else tuple(sorted(found, key=list(self._sized).index))

    def _choice(self, position: Position, least: Fraction, place: int) -> tuple[Family, ...] | Miss:
        key = position, least, place
        if key not in self._found:
            free = self._choice(position, least, place - 1) if place else Miss("")
            # What is shortlisted without a limit is shortlisted with it, if its cables are short enough.
            if isinstance(free, Miss) or any(
                self._longest_mm(one, place - 1) > (self.limits[place] or 0) for one in free
            ):
                request = self._request(position, place)
                found = shortlist(self.arrangement.members(request, least), request, least)
                if not isinstance(found, Miss):
                    self._sized |= {design.family: design for design in found if design.family not in self._sized}
                free = found if isinstance(found, Miss) else tuple(design.family for design in found)
            self._found[key] = free
        return self._found[key]

    def _request(self, position: Position, place: int) -> Request:
        site = self.request.site
        return replace(
            self.request, cable_mm=self.limits[place], site=replace(site, prices=_prices_at(site.prices, position))
        )

    def _racks(self, family: Family, place: int) -> dict[int, tuple[int, Needs]]:
        """Return the longest cable and the parts with the racks that have no longer ones: 0 in order, 1 by the rule."""
        limit, found = self.limits[place], dict[int, tuple[int, Needs]]()
        for number in range(1 + (in_order_of_ids(family, self.request.site) != on_site(family, self.request.site))):
            with suppress(InputError):
                parts = parts_of(family, self.request, in_order=not number)
                if limit is None or parts[0] <= limit:
                    found[number] = parts
        return found

    def _longest_mm(self, family: Family, place: int) -> int:
        """Return the longest cable with the racks for which a member is shortlisted: in order, if these fit."""
        return next(longest_mm for longest_mm, _ in self._racks(family, place).values())

    def _sum(self, families: tuple[Family, ...], place: int) -> Ints:
        """Return the sum of the prices for which members are shortlisted at all positions."""
        total: Ints = np.sum([next(iter(self._prices(family, place).values())) for family in families], axis=0)
        return total

    def _prices(self, family: Family, place: int) -> dict[int, Ints]:
        """Return the prices of a design in cents at all positions, for each of its racks."""
        return {number: self._cents(needs) for number, (_, needs) in self._racks(family, place).items()}

    def _cents(self, needs: Needs) -> Ints:
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
