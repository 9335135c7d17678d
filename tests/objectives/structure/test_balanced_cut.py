"""Moves of single vertices, against a pass that looks at all vertices for each move."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.objectives.structure.cuts.balanced_cut import PASSES, PATIENCE, even_cut, improve_cut
from isoplane.objectives.structure.cuts.partition_graph import PartitionGraph


def reference_pass(edges, weight, node_cost, start, patience):
    """The first of the best balanced cuts of a pass; the start if there is none."""
    side, left = list(start), set(range(len(weight)))
    best, found, idle = cost_of(edges, weight, node_cost, side), list(start), 0
    while idle < patience or best is None:
        excess = 2 * sum(w for w, s in zip(weight, side, strict=True) if s) - sum(weight)
        tops = []
        for s in (False, True):
            tops += sorted((-gain(edges, side, v), v) for v in left if side[v] == s)[:1]
        after = {v: excess + (-2 if side[v] else 2) * weight[v] for _, v in tops}
        room = max(2 * max(weight), abs(excess) - 1)
        vertex = next((v for _, v in sorted(tops) if not weight[v] or abs(after[v]) <= room), None)
        if vertex is None:
            break
        left.remove(vertex)
        side[vertex], idle = not side[vertex], idle + 1
        cost = cost_of(edges, weight, node_cost, side)
        if cost is not None and (best is None or cost < best):
            best, found, idle = cost, list(side), 0
    return found


def gain(edges, side, vertex):
    return sum(cost if side[a] != side[b] else -cost for a, b, cost in edges if vertex in (a, b))


def cost_of(edges, weight, node_cost, side):
    """The cost of a cut with that of the fewest nodes of one vertex of the heavy side that balance it, or None."""
    cut = sum(cost for a, b, cost in edges if side[a] != side[b])
    on = [sum(w for w, s in zip(weight, side, strict=True) if s == each) for each in (False, True)]
    moved = max(on) - (sum(on) + 1) // 2
    if moved <= 0:
        return cut
    heavy = on[1] > on[0]
    able = [c for w, c, s in zip(weight, node_cost, side, strict=True) if s == heavy and w >= 2 * moved]
    return cut + moved * min(able) if able else None


@st.composite
def problems(draw):
    vertices = draw(st.integers(2, 9))
    costs = draw(st.lists(st.integers(0, 4), min_size=vertices**2, max_size=vertices**2))
    edges = [(a, b, costs[a * vertices + b]) for b in range(vertices) for a in range(b) if costs[a * vertices + b]]
    lists = [draw(st.lists(st.integers(0, 5), min_size=vertices, max_size=vertices)) for _ in range(2)]
    start = draw(st.lists(st.booleans(), min_size=vertices, max_size=vertices))
    return edges, *lists, start


def partition_graph_of(edges, weight, node_cost):
    tail, head, cost = (np.array([edge[i] for edge in edges], dtype=np.int64) for i in range(3))
    each = [np.array(values, dtype=np.int64) for values in (weight, node_cost)]
    return PartitionGraph(each[0], tail, head, cost, each[1], np.arange(len(weight)), True)


@given(problems())
@settings(deadline=None, max_examples=200)
def test_cuts_are_those_of_a_pass_that_looks_at_all_vertices(problem):
    edges, weight, node_cost, start = problem
    graph, improved = partition_graph_of(edges, weight, node_cost), list(start)
    for _ in range(PASSES):
        before = cost_of(edges, weight, node_cost, improved)
        improved = reference_pass(edges, weight, node_cost, improved, PATIENCE)
        after = cost_of(edges, weight, node_cost, improved)
        if after is None or (before is not None and after >= before):
            break
    assert improve_cut(graph, np.array(start)).tolist() == improved
    is_even = cost_of(edges, weight, node_cost, start) is not None
    even = start if is_even else reference_pass(edges, weight, node_cost, start, 0)
    assert even_cut(graph, np.array(start)).tolist() == even
