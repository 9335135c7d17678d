"""The lower bound on the price of any network: below all members of all families, and near the best networks."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from isoplane.models import InputError, Layout, PriceList, Site
from isoplane.runs.comparison.sizes.plane_counts import arrangements
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.comparison.sizes.sizing import price_of, routed_throughput
from tests.cases import for_each

from .test_sizing import REQUEST, SITE

MEMBERS = 25  # of a family and a number of planes
SWITCH, CABLE, NIC = 5000_00, 20_00, 30_00
FLAT = PriceList(cables_usd={100.0: CABLE // 100}, nics_usd={1: NIC // 100}, switches_usd={16: SWITCH // 100})
WHOLE = replace(SITE.prices, by="switch", switch_ports=16)


@for_each("prices", [SITE.prices, WHOLE, replace(FLAT, by="switch", switch_ports=16, nics_usd={2: 30})])
@for_each("node_cable_m", [1.0, 2.0, 5.0])
def test_no_member_of_any_family_costs_less_at_its_own_throughput(prices, node_cable_m):
    layout = replace(SITE.layout, node_cable_m=node_cable_m)
    compared = set()
    for nodes, ports in ((60, 16), (12, 8)):
        request = replace(REQUEST, nodes=nodes, ports=ports, site=Site(layout=layout, prices=prices))
        for arrangement in arrangements(request):
            for member in islice(arrangement.members(request, Fraction(1, 4)), MEMBERS):
                reached = routed_throughput(member, 2)
                try:
                    price = price_of(member, request, in_order=True)
                except InputError:  # the catalogue has no cable as long
                    continue
                assert price_bound(request, reached) <= price, (member, reached)
                compared.add(arrangement.family)
    assert compared == set(REQUEST.families)


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
