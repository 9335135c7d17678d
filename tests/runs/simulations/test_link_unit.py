"""The link in which simulations and metrics count loads."""

import pytest

from isoplane.models import Design, Network, Site
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.objectives import metrics_of
from isoplane.runs.simulations.link_unit import hardware_for, load_unit, stated_link, unit_note
from isoplane.simulator import Hardware, throughput_bound
from tests.cases import for_each


def rated(*rates):
    plane = HyperX(shape=(4, 3), nodes_per_switch=6)  # links between switches are the busiest
    return Network(MultiPlane(plane=plane, planes=max(len(rates), 1), rates_gbps=rates or None), Site(layout=None))


def uplinks(node_gbps, link_gbps):
    """A ring of four switches whose nodes have links of another rate."""
    cables, nodes = ((0, 1, 1, 2), (1, 1, 2, 2), (2, 1, 3, 2), (0, 2, 3, 1)), tuple((i, i, 3) for i in range(4))
    rates = {"rates_gbps": (link_gbps,) * 4, "node_rates_gbps": (node_gbps,) * 4}
    return Network(Fabric(planes=(FabricPlane(switches=4, cables=cables, nodes=nodes, **rates),)), Site(layout=None))


@for_each("rates", [(400, 200), (200, 200), (25,), ()])
def test_simulations_and_metrics_count_the_same_link(rates):
    network = rated(*rates)
    hardware = hardware_for(network, {})
    metric = metrics_of(Design(network))["throughput_per_node"]
    # The bound leaves out packets of a node to itself, which the metric counts.
    bound = throughput_bound(network, hardware=hardware) * (network.nodes) / (network.nodes - 1)
    assert float(bound) == pytest.approx(metric, rel=1e-12)
    assert hardware.link_gbps == max(rates, default=Hardware().link_gbps)


@for_each(("node_gbps", "link_gbps"), [(25, 100), (100, 25)])
def test_the_fastest_link_is_simulated_and_loads_name_theirs(node_gbps, link_gbps):
    network = uplinks(node_gbps, link_gbps)
    hardware = hardware_for(network, {"link_gbps": None})
    assert hardware.link_gbps == 100
    assert throughput_bound(network, hardware=hardware) > 0  # flits take whole ticks
    assert stated_link(network, hardware) == {"link_gbps": 100.0}
    assert load_unit(100.0) == "links of 100 Gbit/s"
    metric = "as in isoplane evaluate" if node_gbps == 100 else "in isoplane evaluate in links of 25 Gbit/s"
    assert unit_note(network, hardware) == [f"loads and throughput are in links of 100 Gbit/s, {metric}"]


def test_a_given_rate_is_the_unit_and_networks_without_rates_keep_theirs():
    given = hardware_for(rated(200, 200), {"link_gbps": 100})
    assert given.link_gbps == 100
    assert unit_note(rated(200, 200), given)[0].endswith(
        "in links of 100 Gbit/s, in isoplane evaluate in links of 200 Gbit/s"
    )
    assert unit_note(rated(), Hardware()) == []
    assert stated_link(rated(), Hardware()) == {}
    assert load_unit(None) == "link rates"
