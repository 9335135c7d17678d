"""Finite fields, difference sets, connected components and grids."""

import igraph
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.mathematics.components import components
from isoplane.models.mathematics.difference_set import difference_set
from isoplane.models.mathematics.finite_field import finite_field, prime_power
from isoplane.models.mathematics.grid import coordinates, strides
from tests.cases import for_each

ORDERS = [q for q in range(2, 128) if prime_power(q)]


def test_prime_powers_are_the_powers_of_numbers_without_divisors():
    primes = [p for p in range(2, 300) if all(p % d for d in range(2, p))]
    assert {q for q in range(300) if prime_power(q)} == {p**k for p in primes for k in range(1, 9) if p**k < 300}
    assert all(p**k == q for q in range(300) if (found := prime_power(q)) for p, k in [found])


@for_each("q", [q for q in ORDERS if q <= 49])
def test_the_axioms_of_fields_hold(q):
    field = finite_field(q)
    a, b, c = (each.ravel() for each in np.meshgrid(*[np.arange(q)] * 3, indexing="ij"))
    for table in (field.add, field.multiply):
        assert np.array_equal(table, table.T)
        assert np.array_equal(table[table[a, b], c], table[a, table[b, c]])
    assert np.array_equal(field.multiply[a, field.add[b, c]], field.add[field.multiply[a, b], field.multiply[a, c]])
    assert np.array_equal(field.add[0], np.arange(q))
    assert np.array_equal(field.multiply[1], np.arange(q))
    assert (np.sort(field.add, axis=1) == np.arange(q)).all()
    assert (np.sort(field.multiply[1:], axis=1) == np.arange(q)).all()
    assert (field.add[np.arange(q), field.negative] == 0).all()
    assert sorted(field.powers) == list(range(1, q))


@for_each("q", ORDERS)
def test_every_difference_occurs_once(q):
    found, size = np.array(difference_set(q)), q * q + q + 1
    differences = (found[:, None] - found)[~np.eye(q + 1, dtype=bool)] % size
    assert np.array_equal(np.sort(differences), np.arange(1, size))


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_the_components_of_any_graph_are_those_of_igraph(graph):
    vertices, edges = graph
    found = components(vertices, *np.array(edges, dtype=np.int64).reshape(-1, 2).T).tolist()
    expected = [None] * vertices
    for part in igraph.Graph(vertices, edges).connected_components():
        for vertex in part:
            expected[vertex] = min(part)
    assert found == expected


@for_each("seed", range(3))
def test_a_long_path_in_any_order_is_one_component(seed):
    path = np.random.default_rng(seed).permutation(100_000)
    assert not components(len(path), path[:-1], path[1:]).any()


def test_the_first_coordinate_is_the_fastest():
    ids = np.arange(4 * 3 * 2)
    assert np.array_equal(coordinates(ids, (4, 3, 2)) @ strides((4, 3, 2)), ids)
    assert coordinates(np.array([1, 4, 12]), (4, 3, 2)).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
