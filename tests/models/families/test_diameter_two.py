"""Slim Fly and PolarFly: their graphs, against their papers and against constructions by other means."""

import igraph

from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.mathematics.finite_field import finite_field, prime_power
from tests.cases import for_each

POWERS = [q for q in range(2, 26) if prime_power(q)]


def graph_of(family):
    """The graph of the switches, which must have as many cables as the formula says."""
    graph = igraph.Graph(n=family.switches, edges=family.edges().tolist())
    assert graph.ecount() == family.cables
    assert graph.is_simple()
    return graph


@for_each("q", [q for q in POWERS if q > 2])
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


@for_each("q", POWERS)
def test_a_polar_fly_has_diameter_2_and_quadrics_of_degree_q(q):
    family = PolarFly(q=q)
    graph = graph_of(family)
    assert family.switches == q**2 + q + 1
    assert sorted(graph.degree()) == [q] * (q + 1) + [q + 1] * q**2
    assert graph.diameter() == 2
    # The share of the Moore bound 1 + k² for degree k = q + 1 and diameter 2 in the paper: it tends to 1.
    assert family.switches / (1 + family.degree**2) >= 1 - 1 / (q + 1)


@for_each("q", [2, 3, 4, 5, 7, 8, 9])
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
