"""Regular graphs that a search chooses: what their edges have to be."""

import pytest

from isoplane.models import InputError
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.random_regular import RandomRegular

SQUARE = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
TWICE = ((0, 1), (1, 0), (0, 2), (1, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5))
LOOP = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 3), (3, 4), (4, 5), (5, 5))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"switches": 9, "degree": 3}, "network.degree=3: expected 4, an even number, for 9 switches"),
        ({"switches": 4, "degree": 4}, "network.degree=4: expected an integer from 3 to 3"),
        ({"edges": SQUARE[:5]}, "network.edges: expected 6 pairs of switches from 0 to 3"),
        ({"edges": (*SQUARE[:5], (0, 3))}, "network.edges: switch 0 has another number of cables; expected 3"),
        ({"switches": 6, "edges": TWICE}, "network.edges=[0, 1]: expected different pairs of two switches"),
        ({"switches": 6, "edges": LOOP}, "network.edges=[5, 5]: expected different pairs of two switches"),
    ],
)
def test_other_graphs_are_refused(values, message):
    with pytest.raises(InputError) as caught:
        FreeGraph(**{"switches": 4, "degree": 3, **values})
    assert str(caught.value) == message


@pytest.mark.parametrize("edges", [5, "abc", [1, 2], [[0, 1], [0]], [[0, "a"]], [[0.5, 1]], [[True, 1]]])
def test_edges_of_a_file_are_pairs_of_integers(edges):
    with pytest.raises(InputError, match=r"network\.edges=.*: expected pairs of switches"):
        FreeGraph.read({"switches": 4, "degree": 3, "edges": edges})


def test_pairs_in_any_order_are_the_same_graph():
    turned = FreeGraph(switches=4, degree=3, edges=tuple((b, a) for a, b in SQUARE))
    assert turned == FreeGraph(switches=4, degree=3, edges=SQUARE)
    assert turned == FreeGraph.read({"switches": 4, "degree": 3, "edges": [[b, a] for a, b in SQUARE]})


def test_without_edges_it_is_the_random_graph_of_seed_1():
    free, random = FreeGraph(switches=20, degree=4), RandomRegular(switches=20, degree=4, seed=1)
    assert free.topology().peer.tolist() == random.topology().peer.tolist()


def test_isomorphic_graphs_share_a_class():
    family = FreeGraph(switches=20, degree=4)
    order = [(7 * switch + 3) % 20 for switch in range(20)]
    moved = sorted((min(order[a], order[b]), max(order[a], order[b])) for a, b in family.edges)
    assert FreeGraph(switches=20, degree=4, edges=tuple(moved)).class_key() == family.class_key()
    assert FreeGraph(switches=20, degree=6).class_key() != family.class_key()
