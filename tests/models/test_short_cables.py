"""Node cables that are too short, against the remarks of the cable schedule."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, Layout, Network, Site, dual_cube
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.short_cables import short_node_cables
from tests.runs.formats.cabling.files_of import contents, millimetres, rows
from tests.runs.formats.test_rack_names import two_rings

TORUS = Torus(shape=(4, 3), nodes_per_switch=2, cable_m=None, node_cable_m=2.0)


def rails(links, per_rack, node_cable_m=2.0):
    """Planes of a torus whose nodes have several links; 24 places in all."""
    layout = Layout(aspects=(), switches_per_rack=per_rack)
    return Network(MultiPlane(plane=replace(TORUS, node_cable_m=node_cable_m), links_per_node=links), Site(layout))


networks = st.one_of(
    st.builds(rails, st.sampled_from([1, 2, 3, 4, 6, 8]), st.integers(1, 12), st.sampled_from([1.0, 2.7, 5.0])),
    st.builds(two_rings, st.tuples(st.integers(3, 40), st.integers(3, 40)), st.integers(1, 4)),
)


@given(networks)
@settings(max_examples=30, deadline=None)
def test_they_are_those_that_the_schedule_remarks_on(network):
    short = short_node_cables(network)
    cables = [row for row in rows(contents("cabling", Design(network))["schedule.csv"]) if row["kind"] == "node"]
    needed = [millimetres(row["remark"].split()[2]) for row in cables if row["remark"]]
    if not needed:
        assert short is None
        return
    assert (short.count, short.cables, short.longest_mm) == (len(needed), len(cables), max(needed))
    (part,) = {row["part"] for row in cables}  # such as "cable 3 m"
    assert short.length_mm == millimetres(part.split()[1])


def test_a_given_length_above_the_catalogue_is_compared_as_it_is():
    network = rails(8, 1)
    assert short_node_cables(network).longest_mm < 200_000
    assert short_node_cables(rails(8, 1, node_cable_m=200.0)) is None


@pytest.mark.parametrize(
    "network",
    [
        dual_cube(4, (3, 5, 9, 14)),
        rails(1, 1),
        Network(rails(8, 1).family, Site(layout=None)),
        Network(MultiPlane(plane=replace(TORUS, cable_m=1.0), links_per_node=8), rails(8, 1).site),
    ],
)
def test_networks_whose_nodes_are_at_one_rack_or_whose_lengths_are_given_have_none(network):
    assert short_node_cables(network) is None
