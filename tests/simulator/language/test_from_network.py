"""Programs of networks: the network that is read from their text is the same again."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network, RoutingCache, Site, SwitchModel, family_named
from isoplane.simulator.language import network_of_program, parse_program, write_program
from isoplane.simulator.language.from_network import program_of_network
from tests.cases import for_each, require_refusal
from tests.strategies import bases_up_to, connected_edges


def network(family: str, switch: SwitchModel | None = None, **keys) -> Network:
    return Network(family_named(family).read(keys), Site(switch=switch or SwitchModel()))


def assert_same_again(given: Network) -> None:
    again = network_of_program(parse_program(write_program(program_of_network(given))))
    (plane,), (other,) = given.planes, again.planes
    for name in ("peer", "peer_port"):
        assert np.array_equal(getattr(plane.topology, name), getattr(other.topology, name))
    assert np.array_equal(plane.cable_mm, other.cable_mm)
    for name in ("row", "next_port", "shape"):
        assert np.array_equal(getattr(plane.routes, name), getattr(other.routes, name))
    for name in ("delay_ns", "cable_delay_ns_per_m"):
        assert Fraction(str(getattr(given.site.switch, name))) == getattr(again.site.switch, name)
    assert again.site.switch.endpoint_delay_ns == 0


@given(
    st.sampled_from(["torus", "mesh"]),
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.sampled_from([None, "shortest", "up_down"]),
)
def test_grids_are_the_same_again(family, shape, routing):
    keys = {} if routing is None else {"routing": routing} | ({"datelines": False} if family == "torus" else {})
    assert_same_again(network(family, shape=shape, assumed_cable_m=0, **keys))


@given(bases_up_to(5), st.booleans())
def test_cubes_are_the_same_again(basis, folded):
    assert_same_again(
        network("direct_hypercube", n=basis.n, generators=list(basis.generators), folded=folded, assumed_cable_m=0)
    )


@given(connected_edges(10), st.lists(st.integers(0, 30_000), min_size=40, max_size=40))
def test_graphs_are_the_same_again_with_the_length_of_every_cable(edges, lengths_mm):
    pairs = {tuple(sorted(edge)): edge for edge in edges}.values()  # the language has no parallel links
    listed = [[*edge, mm / 1000] for edge, mm in zip(pairs, lengths_mm, strict=False)]
    assert_same_again(network("graph", edges=listed, routing="up_down"))


def test_recursive_diagonal_tori_hop_classes_and_clocks_of_half_a_nanosecond_are_kept():
    for routing in ("vector", "turn_classes"):
        assert_same_again(network("rdt", side=8, tile="1211 2112 1112 1221", routing=routing, assumed_cable_m=0))
    assert_same_again(network("torus", shape=[4, 3], datelines=False, routing="hop_classes", assumed_cable_m=0))
    assert_same_again(network("torus", SwitchModel(delay_ns=12.5, link_gbps=50), shape=[4], assumed_cable_m=0))
    program = program_of_network(
        network("torus", SwitchModel(delay_ns=12.5, link_gbps=50), shape=[4], assumed_cable_m=0)
    )
    assert program.channel_bits * program.frequency_hz == 50 * 10**9


@for_each(
    ("family", "keys", "message"),
    [
        (
            "torus",
            {"shape": [4], "assumed_cable_m": 1.5},
            "network.assumed_cable_m: cables of 1.5 m; expected 0, because",
        ),
        (
            "torus",
            {"shape": [4], "assumed_cable_m": 0, "node_cable_m": 2.0},
            "network.family=torus: expected nodes with a",
        ),
        ("fat_tree", {}, "network.family=fat_tree: expected nodes with a switch in each"),
        (
            "torus",
            {"shape": [4], "assumed_cable_m": 0, "datelines": False, "routing": "balanced"},
            "network.routing=balanced:",
        ),
        ("graph", {"edges": [[0, 1], [1, 0]], "routing": "up_down"}, "NetworkLink"),
    ],
)
def test_a_network_that_no_program_states_is_refused(family, keys, message):
    require_refusal(lambda: program_of_network(network(family, **keys)), f"^{message}")


@for_each("switch", [SwitchModel(delay_ns=0), SwitchModel(link_gbps=2.5)])
def test_rates_and_delays_that_are_not_whole_are_refused(switch):
    torus = network("torus", switch, shape=[4], assumed_cable_m=0)
    require_refusal(lambda: program_of_network(torus), "expected a delay above 0, and a whole number of bits")


def test_caches_of_routing_tables_are_refused():
    switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache())
    torus = network("torus", switch, shape=[4], assumed_cable_m=0)
    require_refusal(lambda: program_of_network(torus), "^switch.cache: expected null, since a program has no caches")
