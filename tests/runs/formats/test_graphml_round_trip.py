"""A network that is exported as GraphML and imported is the same network, with its lengths, rates and delays."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, Network, Site, SwitchModel, dual_cube
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.objectives import metrics_of
from isoplane.runs.exports.link_times import link_times
from tests.cases import for_each

from .copies import copied_fabric
from .exported import NETWORKS, exported, texts
from .import_sources import planes_of

SITE = Site(switch=SwitchModel(delay_ns=70, cable_delay_ns_per_m=4.3, link_gbps=40))
COPIED = [dual_cube(3, (3, 5, 7)), *(NETWORKS[name] for name in ("torus", "tree", "rails", "parallel"))]


def again(network, **options):
    """The network with the same nodes that an import finds in the exported GraphML, on the same site."""
    planes, _ = planes_of(texts("graphml", exported(network))["network.graphml"])
    return Network(Fabric(planes=tuple(planes), **options), network.site)


@st.composite
def rated_fabrics(draw):
    """Copies of networks whose cables have random lengths, rates and delays; rates of nodes are equal."""
    family = copied_fabric(draw(st.sampled_from(COPIED)), "shortest")
    random = np.random.default_rng(draw(st.integers(0, 999)))

    def values(links, low, high, unit):
        return tuple((random.integers(low, high, size=len(links)) * unit / 1000).tolist())

    planes = [
        replace(
            plane,
            lengths_m=values(plane.cables, 1, 9, 500),
            rates_gbps=values(plane.cables, 1, 5, 25_781),
            delays_ns=values(plane.cables, 0, 90_000, 1),
            node_rates_gbps=(50,) * len(plane.nodes),
            node_delays_ns=values(plane.nodes, 0, 90_000, 1),
        )
        for plane in family.planes
    ]
    return Network(replace(family, planes=tuple(planes)), SITE)


@given(rated_fabrics())
@settings(max_examples=20, deadline=None)
def test_stated_lengths_rates_and_delays_come_back(network):
    copy = again(network, routing="shortest")
    for plane, other in zip(network.planes, copy.planes, strict=True):
        assert np.array_equal(plane.topology.peer, other.topology.peer)
        assert np.array_equal(plane.cable_mm, other.cable_mm)
        for name in ("rate_mbps", "node_rate_mbps", "delay_ps", "node_delay_ps"):
            assert np.array_equal(getattr(plane.timing, name), getattr(other.timing, name))
    assert metrics_of(Design(copy)) == metrics_of(Design(network))


def links_of(given_design):
    return json.loads(texts("json", given_design)["network.json"])["links"]


@for_each("name", NETWORKS)
def test_json_has_the_rate_and_the_delay_of_every_cable_and_none_within_nodes(name):
    case = exported(replace(NETWORKS[name], site=replace(NETWORKS[name].site, switch=SITE.switch)))
    links = links_of(case)
    cables = [each for each in links if each["kind"] == "cable"]
    assert [each["rate_gbps"] for each in cables] == [40] * len(case.cables)
    assert [each["delay_ns"] for each in cables] == pytest.approx(link_times(case)[1])
    assert all("rate_gbps" not in each and "delay_ns" not in each for each in links if each["kind"] == "internal")


def test_lengths_and_delays_that_would_follow_from_a_layout_are_unknown_without_one():
    network = Network(Torus(shape=(3, 3), cable_m=None, node_cable_m=2.0), Site(layout=None))
    links = links_of(exported(network))
    between = [each for each in links if each["target"].startswith("P")]
    assert len(between) == 18
    assert all("length_m" not in each and "delay_ns" not in each and each["rate_gbps"] == 100 for each in between)
    assert {(each["length_m"], each["delay_ns"]) for each in links if each not in between} == {(2, 10)}
