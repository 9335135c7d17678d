"""Hybrid networks, circuits and placements: consistency checks."""

import pytest

from isoplane.models import InputError
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement, by_groups, by_switch
from tests.cases import for_each

SMALL = Hybrid(groups=3, nodes_per_group=2)


def test_the_network_of_the_paper_has_at_most_64_circuits():
    assert (Hybrid().nodes, Hybrid().max_circuits) == (128, 64)
    assert Hybrid(ports_per_node=2).max_circuits == 128
    assert Hybrid(groups=3, nodes_per_group=3).max_circuits == 4  # nine ports, two per circuit


def test_circuits_are_the_same_in_any_order():
    assert Circuits(((3, 0), (1, 5))) == Circuits(((5, 1), (0, 3)))
    assert len(Circuits(((3, 0), (1, 5)))) == 2


def test_a_placement_matches_its_groups_and_its_inverse():
    groups = (2, 0, 1, 1, 2, 0)
    placement = by_groups(groups, 2)
    assert [SMALL.group_of(node) for node in placement.nodes] == list(groups)
    assert [placement.nodes[process] for process in placement.processes] == list(range(6))
    assert by_switch(6) == by_groups((0, 0, 1, 1, 2, 2), 2)


@for_each(
    ("make", "message"),
    [
        (lambda: Circuits(((0, 2), (2, 0))).require_fit(SMALL.optical), "circuits: 2 at node 0; expected at most 1"),
        (lambda: Circuits(((1, 1),)), r"circuits: \[1, 1\]; expected two different nodes"),
        (lambda: Circuits(((0, 1),)).require_fit(SMALL.optical), r"\[0, 1\] inside group 0"),
        (lambda: Circuits(((0, 6),)).require_fit(SMALL.optical), "node=6"),
        (lambda: Circuits(((-1, 3),)).require_fit(SMALL.optical), "node=-1"),
        (lambda: Circuits(((0, 2), (0, 4))).require_fit(SMALL.optical), "circuits: 2 at node 0; expected at most 1"),
        (lambda: Hybrid(groups=1), "network.groups=1"),
        (lambda: Hybrid(nodes_per_group=2000), "8000 nodes"),
        (lambda: Hybrid(circuit_gbps=0), "network.circuit_gbps=0"),
        (lambda: Hybrid(link_ns=-1), "network.link_ns=-1"),
        (lambda: Placement((0, 2)), "no process on node 1"),
        (lambda: Placement((0, 0)), "no process on node 1"),
        (lambda: by_groups((0, 0, 1), 2), "1 processes in group 1"),
    ],
)
def test_an_invalid_combination_is_rejected(make, message):
    with pytest.raises(InputError, match=message):
        make()
