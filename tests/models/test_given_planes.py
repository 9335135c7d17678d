"""Networks of given planes."""

import pickle
from dataclasses import replace

import pytest

from isoplane.models import InputError, Network, PriceList, Site, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.objectives.general import general_exact, general_metrics
from tests.cases import for_each

NETWORKS = [
    Network(Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=1.0)),
    Network(Torus(shape=(5,)), Site(layout=None)),
    Network(FatTree(switch_ports=4)),
    dual_cube(3, (3, 5, 7)),
]


@for_each("network", NETWORKS)
def test_given_planes_have_the_formulas_and_metrics_of_their_family(network):
    given = Network(PlanesFamily(network.title, network.planes, network.policy), network.site)
    assert given.site == network.site
    for name in ("nodes", "switches", "ports", "cables"):
        assert getattr(given.family, name) == getattr(network.family, name)
    assert general_metrics(given, general_exact(given)) == general_metrics(network, general_exact(network))


def test_the_site_does_not_change_the_planes():
    plane = NETWORKS[0].planes[0]
    for site in (Site(), Site(layout=None), Site(prices=PriceList(switch_port_usd=1.0))):
        assert Network(PlanesFamily("one", (plane,)), site).planes == (plane,)


def test_networks_are_equal_only_if_their_planes_are_the_same_objects():
    (plane,) = NETWORKS[0].planes
    one, same, other = (Network(PlanesFamily("a", (each,))) for each in (plane, plane, replace(plane)))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert pickle.loads(pickle.dumps(one)).nodes == one.nodes


@for_each(
    ("call", "message"),
    [
        (
            lambda plane: PlanesFamily("a", (plane,)).write(),
            "network=a: planes given as objects; a record expects a",
        ),
        (
            lambda plane: PlanesFamily.read({}),
            "network.family=given_planes: planes given as objects; expected a family",
        ),
        (lambda plane: PlanesFamily("a", ()), "network.planes: none; expected at least one"),
        (lambda plane: PlanesFamily("a", (plane,), "best"), "network.policy='best': expected nearest"),
        (lambda plane: PlanesFamily("a", (plane,), (1, 1)), r"network.policy=\(1, 1\): expected nearest"),
    ],
)
def test_records_and_configs_are_rejected_in_one_line(call, message):
    with pytest.raises(InputError, match=f"^{message}[^\n]*$"):
        call(NETWORKS[0].planes[0])
