"""Sizes of dragonflies that have a throughput, against an enumeration of all of them."""

from fractions import Fraction
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.family_kinds.dragonfly_sizes import sufficient_dragonflies
from isoplane.models.site.part_costs import PartCosts
from tests.cases import for_each


def all_sizes(nodes, ports, links):
    """All dragonflies of the fewest nodes per switch with the nodes within the ports, and no spare global ports."""
    for a in range(1, ports):
        for groups in range(2, 2 * max(2, -(-nodes // (a * links))) + 1):
            per_switch = -(-nodes // (a * groups * links)) * links
            for h in range(-(-(groups - 1) // a), ports + 1 - a - per_switch + 1):
                cables = a * h // (groups - 1) * (groups - 1)
                if a * (h - 1) >= cables:
                    continue
                yield Dragonfly(switches_per_group=a, global_ports=h, groups=groups, nodes_per_switch=per_switch)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 60),
    st.integers(2, 11),
    st.fractions(Fraction(1, 20), 4, max_denominator=20),
    st.integers(1, 3),
    st.sampled_from([PartCosts(), PartCosts(switch=7, cable=2)]),
)
def test_sizes_are_all_with_the_throughput_in_ascending_order_of_costs(nodes, ports, throughput, links, costs):
    fast = [each for each in all_sizes(nodes, ports, links) if each.throughput_bound >= throughput]
    assert all(each.nodes >= nodes and each.ports <= ports for each in fast)
    found = [Dragonfly(**size._asdict()) for size in sufficient_dragonflies(nodes, ports, throughput, links, costs)]
    assert [costs.of(each.switches, each.cables) for each in found] == sorted(
        costs.of(each.switches, each.cables) for each in fast
    )
    assert set(found) == set(fast)


@for_each("throughput", [Fraction(9, 10), Fraction(1, 3)])
def test_a_size_is_found_for_exactly_its_throughput_and_not_for_slightly_more(throughput):
    def first(least):
        found = islice(sufficient_dragonflies(20000, 64, least, 2), 48)
        return [Dragonfly(**size._asdict()) for size in found]

    for size in first(throughput)[:4]:
        assert size in first(size.throughput_bound)
        assert size not in first(size.throughput_bound + Fraction(1, 10**15))


def test_no_size_has_more_switches_than_a_routing_table():
    for size in islice(sufficient_dragonflies(1 << 17, 1024, Fraction(1, 10**9), 1), 48):
        assert size.switches_per_group * size.groups <= 1 << 14
    assert not list(sufficient_dragonflies(1 << 17, 8, Fraction(1, 10**9), 1))  # over 2^14 switches of 7 nodes
