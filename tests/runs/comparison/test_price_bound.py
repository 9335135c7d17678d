"""The lower bound on the price of any network: below all members of all families, and near the best networks."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from isoplane.models import InputError, Layout, PriceList, Site
from isoplane.runs.comparison.sizes.plane_counts import arrangements
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.comparison.sizes.racks import price_of
from isoplane.runs.comparison.sizes.throughputs import routed_throughput

from .test_sizing import REQUEST, SITE

MEMBERS = 3  # of a family and a number of planes
SWITCH, CABLE, NIC = 5000_00, 20_00, 30_00
FLAT = PriceList(cables_usd={100.0: CABLE // 100}, nics_usd={1: NIC // 100}, switches_usd={16: SWITCH // 100})
WHOLE = replace(SITE.prices, by="switch", switch_ports=16)


def test_no_member_of_any_family_costs_less_at_its_own_throughput():
    catalogues = SITE.prices, WHOLE, replace(FLAT, by="switch", switch_ports=16, nics_usd={2: 30})
    sites = [
        replace(SITE, layout=replace(SITE.layout, node_cable_m=length), prices=prices)
        for prices, length in zip(catalogues, (1.0, 2.0, 5.0), strict=True)
    ]
    compared = {number: set() for number in range(len(sites))}
    for nodes, ports in ((30, 12), (12, 8)):
        requests = [replace(REQUEST, nodes=nodes, ports=ports, site=site) for site in sites]
        for arrangement in arrangements(requests[0]):
            for member in islice(arrangement.members(requests[0], Fraction(1, 4)), MEMBERS):
                reached = routed_throughput(member, 2)
                for number, request in enumerate(requests):
                    with suppress(InputError):  # the catalogue has no cable as long
                        price = price_of(member, request, in_order=True)
                        assert price_bound(request, reached) <= price, (member, reached)
                        compared[number].add(arrangement.family)
    assert all(families == set(REQUEST.families) for families in compared.values())


def alone(nodes, switches=1, cables=0):
    """The price of one-port nodes with switches, cables between them and node cables, at flat prices."""
    return nodes * (NIC + CABLE) + switches * SWITCH + cables * CABLE


@pytest.fixture
def request_of_one_port():
    """A request for switches of 16 ports that are bought whole, and nodes of one port, at flat prices."""
    site = Site(layout=Layout(), prices=replace(FLAT, by="switch", switch_ports=16))
    return replace(REQUEST, node_ports=1, planes=(1,), ports=16, site=site)


def test_a_full_switch_reaches_the_bound_and_a_full_mesh_nearly(request_of_one_port):
    full = replace(request_of_one_port, nodes=16)
    assert price_bound(full, Fraction(1)) == alone(16)
    # Of nine switches with eight nodes, a link carries 8 · 8 parts of 72 of the rate of a node.
    mesh = replace(request_of_one_port, nodes=72)
    price = alone(72, switches=9, cables=36)
    assert 0.99 * price < price_bound(mesh, Fraction(72, 64)) <= price


def test_the_bound_grows_with_the_throughput_and_the_nodes_and_falls_with_the_ports(request_of_one_port):
    throughputs = [price_bound(request_of_one_port, Fraction(part, 8)) for part in range(1, 9)]
    nodes = [price_bound(replace(request_of_one_port, nodes=count), Fraction(1)) for count in range(60, 70)]
    assert throughputs == sorted(set(throughputs))
    assert nodes == sorted(set(nodes))
    larger = replace(request_of_one_port, ports=17, site=replace(request_of_one_port.site, prices=FLAT))
    smaller = replace(larger, ports=16)
    assert price_bound(larger, Fraction(1)) <= price_bound(smaller, Fraction(1))
