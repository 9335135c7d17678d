"""Slim Fly and PolarFly: their graphs, against their papers and against constructions by other means."""

import igraph
import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.mathematics.finite_field import finite_field, prime_power
from isoplane.models.routing import channel_cycle, hops

POWERS = [q for q in range(2, 26) if prime_power(q)]


def graph_of(family):
    """The graph of the switches, which must have as many cables as the formula says."""
    graph = igraph.Graph(n=family.switches, edges=family.edges().tolist())
    assert graph.ecount() == family.cables
    assert graph.is_simple()
    return graph


@pytest.mark.parametrize("q", [q for q in POWERS if q > 2])
def test_a_slim_fly_is_regular_of_diameter_2(q):
    family = SlimFly(q=q)
    graph = graph_of(family)
    delta = {0: 0, 1: 1, 3: -1}[q % 4]
    assert family.switches == 2 * q**2
    assert set(graph.degree()) == {(3 * q - delta) // 2} == {family.degree}
    assert graph.diameter() == 2


def test_the_slim_fly_of_order_5_is_the_graph_of_hoffman_and_singleton():
    # Robertson's construction: five pentagons and five pentagrams; vertex j of pentagon h is joined to vertex
    # h i + j of pentagram i. The only graph of degree 7, diameter 2 and 50 vertices, the Moore bound.
    edges = [(5 * h + j, 5 * h + (j + 1) % 5) for h in range(5) for j in range(5)]
    edges += [(25 + 5 * i + j, 25 + 5 * i + (j + 2) % 5) for i in range(5) for j in range(5)]
    edges += [(5 * h + j, 25 + 5 * i + (h * i + j) % 5) for h in range(5) for i in range(5) for j in range(5)]
    assert graph_of(SlimFly(q=5)).isomorphic(igraph.Graph(edges))


@pytest.mark.parametrize("q", POWERS)
def test_a_polar_fly_has_diameter_2_and_quadrics_of_degree_q(q):
    family = PolarFly(q=q)
    graph = graph_of(family)
    assert family.switches == q**2 + q + 1
    assert sorted(graph.degree()) == [q] * (q + 1) + [q + 1] * q**2
    assert graph.diameter() == 2
    # The share of the Moore bound 1 + k² for degree k = q + 1 and diameter 2 in the paper: it tends to 1.
    assert family.switches / (1 + family.degree**2) >= 1 - 1 / (q + 1)


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9])
def test_a_polar_fly_is_the_graph_of_orthogonal_points(q):
    field = finite_field(q)
    points = [(0, 0, 1), *((0, 1, z) for z in range(q)), *((1, y, z) for y in range(q) for z in range(q))]

    def dot(one, other):
        total = 0
        for a, b in zip(one, other, strict=True):
            total = field.add[total, field.multiply[a, b]]
        return total

    pairs = [(i, j) for j in range(len(points)) for i in range(j) if dot(points[i], points[j]) == 0]
    assert graph_of(PolarFly(q=q)).isomorphic(igraph.Graph(n=len(points), edges=pairs))


@pytest.mark.parametrize("family", [SlimFly(q=5), SlimFly(q=4), PolarFly(q=4), PolarFly(q=5)], ids=repr)
def test_routes_have_two_hops_and_no_deadlock(family):
    (plane,) = Network(family).planes
    assert hops(plane.topology, plane.routes).max() == 2
    assert channel_cycle(plane.topology, plane.routes, 2) is None
    assert np.count_nonzero(plane.topology.peer >= 0) == 2 * family.cables
    assert plane.ports_used.max() == family.ports


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: SlimFly(q=6), "network.q=6: expected a prime power, such as 5 or 7"),
        (lambda: SlimFly(q=2), "network.q=2: expected an integer from 3 to 89"),
        (lambda: PolarFly(q=10), "network.q=10: expected a prime power, such as 9 or 11"),
        (lambda: PolarFly(q=128), "network.q=128: expected an integer from 2 to 127"),
        (lambda: PolarFly(routing="random"), "network.routing='random': expected up_down, shortest, hop_classes"),
    ],
)
def test_a_wrong_parameter_is_named(make, says):
    with pytest.raises(InputError, match=says):
        make()
