"""One way for each pair of nodes, against the shares of all ways."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, dual_cube
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import with_empty_queues
from isoplane.runs.exports.single_ways import single_ways
from tests.strategies import bases_up_to

policies = st.one_of(
    st.sampled_from(["nearest", "spray", "adaptive"]),
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any),
)
cubes = st.builds(
    lambda basis, per_switch: dual_cube(basis.n, basis.generators, nodes_per_switch=per_switch, layout=None),
    bases_up_to(4),
    st.integers(1, 2),
)
trees = st.builds(
    lambda links: Network(MultiPlane(plane=HyperX(shape=(2, 3), nodes_per_switch=4), links_per_node=links)),
    st.sampled_from([1, 2, 4]),
)


def ways_by_pair(network, source, destination):
    """Return the ways of each pair with their shares, in the order of plane, source link and destination link."""
    ways = paths_between(network, source, destination, with_empty_queues(network.policy))
    found = [[] for _ in source]
    for pair, plane, first, last, weight, of in sorted(
        zip(*(getattr(ways, name).tolist() for name in ways.__dataclass_fields__), strict=True)
    ):
        found[pair].append(((plane, first, last), Fraction(weight, of)))
    return found


@given(st.one_of(cubes, trees), policies, st.integers(0, 5))
@settings(max_examples=40)
def test_each_pair_takes_one_of_its_ways_in_turn(network, policy, turn):
    network = Network(replace(network.family, policy=policy), network.site)
    source, destination = np.divmod(np.arange(network.nodes**2), network.nodes)
    chosen = list(
        zip(*(each.tolist() for each in single_ways(network, source, destination, source + turn)), strict=True)
    )
    ways = ways_by_pair(network, source, destination)
    for node in range(network.nodes):
        rank = 0
        for pair in range(node * network.nodes, (node + 1) * network.nodes):
            shares = [share for _, share in ways[pair]]
            parts = int(np.lcm.reduce([share.denominator for share in shares]))
            tickets = [way for way, share in ways[pair] for _ in range(int(share * parts))]
            assert chosen[pair] == tickets[(node + turn + rank) % parts]
            rank += len(shares) > 1
