"""Connected components are those of igraph, named by their smallest vertex."""

import igraph
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.mathematics.components import components
from tests.cases import for_each


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
