"""Circuits, optical switches, placements, and what a search varies."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    BasisVariable,
    Circuits,
    CircuitsVariable,
    Family,
    Hybrid,
    InputError,
    Network,
    OpticalSwitch,
    PlacementVariable,
    dual_cube,
    family_named,
    family_names,
)
from isoplane.models.placement import by_groups, by_switch

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


def largest_matching(nodes, group):
    """The largest number of disjoint pairs of nodes in different groups, by trying every partner of the first node."""
    if not nodes:
        return 0
    first, *others = nodes
    paired = (
        1 + largest_matching([node for node in others if node != other], group)
        for other in others
        if group[other] != group[first]
    )
    return max([largest_matching(others, group), *paired])


@given(st.lists(st.integers(0, 2), min_size=2, max_size=5).filter(lambda group: len(set(group)) > 1), st.integers(1, 2))
def test_max_circuits_is_the_most_that_the_ports_allow(group, ports):
    optical = OpticalSwitch(tuple(group), ports)
    pairs = [pair for pair in combinations(range(len(group)), 2) if group[pair[0]] != group[pair[1]]]
    parallel = [pair for pair in pairs for _ in range(ports)]

    def fits(chosen):
        try:
            Circuits(chosen).require_fit(optical)
        except InputError:
            return False
        return True

    counts = range(len(parallel) + 1)
    most = max(count for count in counts if any(map(fits, combinations(parallel, count))))
    assert optical.max_circuits == most


def test_a_network_has_an_optical_switch_if_its_family_has_circuits():
    assert Network(Hybrid(2, 2, ports_per_node=3)).optical == OpticalSwitch((0, 0, 1, 1), 3)
    assert [name for name in family_names() if family_named(name).kind == "circuits"] == ["hybrid", "optical_overlay"]


def test_the_variable_of_cubes_is_the_basis_and_those_of_hybrids_are_circuits_and_placement():
    assert dual_cube(3, (3, 5, 7)).family.variables == {"generators": BasisVariable(3)}
    hybrid = Hybrid(2, 4, ports_per_node=3)  # 8 nodes with 3 ports each have at most 12 circuits
    assert hybrid.variables == {"circuits": CircuitsVariable(3, 12), "placement": PlacementVariable(8, "free")}


def test_three_of_the_built_in_families_have_variables():
    names = [name for name in family_names() if family_named(name).variables is not Family.variables]
    assert names == ["folded_hypercube", "hybrid", "hypercube", "optical_overlay"]


def test_a_config_narrows_the_limits():
    assert CircuitsVariable(1, 4).within("circuits", None) == CircuitsVariable(1, 4)
    assert CircuitsVariable(1, 4).within("circuits", 0) == CircuitsVariable(1, 0)
    assert PlacementVariable(8).within("placement", "by_communication").by == "by_communication"
