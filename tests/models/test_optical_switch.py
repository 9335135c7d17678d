"""Optical switches: how many circuits fit, against brute force over all sets of circuits."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Circuits, Hybrid, InputError, Network, OpticalSwitch, family_named, family_names
from tests.cases import for_each


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


@for_each(
    ("values", "message"),
    [
        ({"group": (0, 0)}, "optical.group: 1 groups of nodes; expected at least 2"),
        ({"group": (0, 1), "ports_per_node": 0}, "optical.ports_per_node=0"),
        ({"group": (0, 1), "gbps": 0}, "optical.gbps=0"),
        ({"group": (0, 1), "delay_ns": -1}, "optical.delay_ns=-1"),
    ],
)
def test_an_invalid_value_is_reported_with_its_key(values, message):
    with pytest.raises(InputError, match=message):
        OpticalSwitch(**values)


def test_a_network_has_an_optical_switch_if_its_family_has_circuits():
    assert Network(Hybrid(2, 2, ports_per_node=3)).optical == OpticalSwitch((0, 0, 1, 1), 3)
    assert [name for name in family_names() if family_named(name).kind == "circuits"] == ["hybrid", "optical_overlay"]
