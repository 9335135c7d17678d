"""Prices of members with their racks: in the order of switch ids, or by the rule of the layout."""

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, singledispatch

from isoplane.models import Cubes, Family, InputError, Layout, Network, PriceList, Site
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.multi_plane import nodes_at_switch
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.family import plane_count
from isoplane.models.site.layout import IN_ORDER
from isoplane.objectives.costs.bill import Needs, cents_of, parts_needed

from ..request import Request

KEPT_NETWORKS = 8  # with their racks: those of the last choice, of which one is measured


@lru_cache(maxsize=KEPT_NETWORKS)
def on_site(family: Family, site: Site) -> Network:
    """Return a network on a site, whose racks hold switches of all planes.

    A layout counts the switches of one plane in a rack, so that several planes share its places. The racks of cubes and
    of relabelled planes are filled in the order of switch ids, which their cable lengths require.
    """
    layout = _shared_layout(site, plane_count(family))
    return Network(family, _with_layout(site, _racks_for(family, layout)))


@lru_cache(maxsize=64)
def _shared_layout(site: Site, planes: int) -> Layout:
    """Return the layout of one of several planes."""
    assert site.layout is not None
    return replace(site.layout, switches_per_rack=max(1, site.layout.switches_per_rack // planes))


@lru_cache(maxsize=64)
def _with_layout(site: Site, layout: Layout) -> Site:
    return replace(site, layout=layout)


@singledispatch
def _racks_for(family: Family, layout: Layout) -> Layout:
    return layout


@_racks_for.register
def _(family: HostGraph, layout: Layout) -> Layout:
    return replace(layout, assignment=IN_ORDER) if family.planes > 1 else layout


@_racks_for.register(Cubes)
@_racks_for.register(Relabelled)
def _(family: Family, layout: Layout) -> Layout:
    nodes = nodes_at_switch(family)
    return layout if nodes is None else layout.filled_by_id(nodes)


def in_order_of_ids(family: Family, site: Site) -> Network:
    """Return a network on a site with racks filled in the order of switch ids."""
    return on_site(family, _filled_in_order(site))


@lru_cache(maxsize=16)
def _filled_in_order(site: Site) -> Site:
    assert site.layout is not None
    return replace(site, layout=replace(site.layout, assignment=IN_ORDER))


def price(network: Network, request: Request) -> int:
    """Return the price of a network for the requested nodes in cents; spare places have no interfaces and node cables.

    Raises
    ------
    InputError
        If the catalogue lacks a part, or a cable is longer than allowed.
    """
    return _checked_price(network.longest_cable_mm, parts_needed(network, request.nodes), request)


def price_of(family: Family, request: Request, *, in_order: bool) -> int:
    """Return the `price` of a family with racks filled in the order of switch ids, or by the rule of the layout."""
    return _checked_price(*parts_of(family, request, in_order=in_order), request)


def shown_cents(family: Family, in_order_cents: int, request: Request) -> int:
    """Return the price that is shown: with racks by the rule of the layout, unless those in order are cheaper."""
    with suppress(InputError):  # other racks can need longer cables
        # By the site as it is, so that its network, with the racks, is there for what is measured of the design.
        parts = _parts(family, request.site, request.nodes, in_order=False)
        return min(in_order_cents, _checked_price(*parts, request))
    return in_order_cents


def parts_of(family: Family, request: Request, *, in_order: bool) -> tuple[int, Needs]:
    """Return the length of the longest cable in millimetres and the parts of a design, counted once for all prices."""
    return _parts(family, _without_prices(request.site), request.nodes, in_order)


@lru_cache(maxsize=16)
def _without_prices(site: Site) -> Site:
    """Return a site whose catalogue has the same cables for nothing."""
    return replace(site, prices=PriceList(cables_usd=dict.fromkeys(site.prices.cables_usd, 0)))


@lru_cache(maxsize=1 << 14)
def _parts(family: Family, site: Site, nodes: int, in_order: bool) -> tuple[int, Needs]:
    network = in_order_of_ids(family, site) if in_order else on_site(family, site)
    return network.longest_cable_mm, parts_needed(network, nodes)


def _checked_price(longest_mm: int, needs: Needs, request: Request) -> int:
    if request.cable_mm is not None and longest_mm > request.cable_mm:
        raise InputError(f"needs a cable of {longest_mm / 1000:g} m; expected at most {request.cable_mm / 1000:g} m")
    return cents_of(needs, request.site.prices)
