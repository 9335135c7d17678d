"""A design made from a built one of the same devices: nodes keep their ports, and as many node cables as can be."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Network
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.exports.built_design import cables_from, rails_from


def fabric(links, adapter_ports=None):
    """Two switches with a cable at port 9, and links of one node in a plane, as switch and port."""
    nodes = tuple((0, *link) for link in links)
    plane = FabricPlane(switches=2, cables=((0, 9, 1, 9),), nodes=nodes, adapter_ports=adapter_ports)
    return Network(Fabric(planes=(plane,)))


def node_cables(cables):
    """Switch, port and port of the node of each node cable."""
    at = cables.to_node
    columns = (getattr(cables, name)[at].tolist() for name in ("switch", "switch_port", "other_port"))
    return list(zip(*columns, strict=True))


LINKS = st.permutations([(switch, port) for switch in (0, 1) for port in (1, 2, 3)])


@given(st.integers(1, 4), LINKS, LINKS, st.permutations(range(2, 8)))
def test_no_other_choice_among_the_built_ports_moves_fewer_node_cables(count, old, new, ports):
    built = fabric(old[:count], tuple((1, port) for port in ports[:count]))
    network = fabric(new[:count])
    before = {(*link, port) for link, port in zip(old, ports[:count], strict=False)}
    cables = cables_from(network, built)
    after = node_cables(cables)
    assert [each[:2] for each in after] == new[:count]
    assert sorted(port for *_, port in after) == sorted(ports[:count])
    best = max(
        len(before & {(*link, port) for link, port in zip(new, chosen, strict=False)})
        for chosen in permutations(ports[:count])
    )
    assert len(before & set(after)) == best
    assert rails_from(network, cables)[0].tolist() == [port for *_, port in after]
    assert cables.adapter_port[cables.to_node].tolist() == [port for *_, port in after]


def test_ports_that_a_design_states_or_that_the_built_one_leaves_open_stay():
    stated, other, plain = fabric([(0, 1)], ((1, 2),)), fabric([(0, 1)], ((1, 5),)), fabric([(0, 1)])
    for network, built in ((other, stated), (plain, plain), (plain, None)):
        assert node_cables(cables_from(network, built)) == node_cables(cable_list(network.cabling))


def test_a_built_design_with_other_links_of_a_node_is_rejected_by_its_name():
    built, network = fabric([(0, 1), (1, 1)], ((1, 2), (1, 3))), fabric([(0, 1)])
    with pytest.raises(InputError, match="rewired_from: links of N0 in plane 0: 2 in .* and 1 in .*; expected"):
        cables_from(network, built)
