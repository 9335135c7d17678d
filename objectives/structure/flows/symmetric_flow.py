"""The maximum concurrent flow of all-to-all traffic in networks with symmetries, in exact fractions."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models.arrays import Ints

from .capacity_graph import CapacityGraph
from .flow_problem import FlowProblem, group_vertices, problem_of_groups
from .graph_symmetry import GraphSymmetry, graph_symmetry
from .orbit_program import OrbitProgram
from .orbit_trees import OrbitTrees, Tree

MAX_ORBITS = 64  # of links: the program has a row for each
MAX_CHANGES = 1 << 19  # of fractions in the program: seconds
STABILITY = Fraction(9, 10)  # share of the best lengths in those of the next tree


@dataclass(frozen=True, eq=False)
class SymmetricFlow:
    """An optimal flow of all-to-all traffic, and optimal lengths of links, by orbits of a group of symmetries.

    Parameters
    ----------
    rate
        The highest rate: both that of the flow and the bound of the lengths.
    symmetry
        The symmetries, by which the flow of one source stands for those of its orbit.
    problem
        The demands of one group of nodes per orbit, times the number of groups in the orbit.
    flows : int64[flows, sources, links]
        Flows of these sources over each link, each of which delivers the demands.
    weights
        Weights of the flows, 1 in total. Their mixture, averaged over all symmetries, has the same load on all links of
        an orbit.
    length : int64[links]
        Length of each link of `problem`, the same within an orbit; 0 where the capacity is unlimited.
    """

    rate: Fraction
    symmetry: GraphSymmetry
    problem: FlowProblem
    flows: Ints
    weights: tuple[Fraction, ...]
    length: Ints


def symmetric_flow(graph: CapacityGraph) -> SymmetricFlow | None:
    """Find the highest rate at which all nodes can send to all nodes at once, as an exact fraction.

    There are optimal lengths that are equal within orbits of links. The linear program over orbits is solved by the
    simplex method in fractions; its columns are trees of shortest paths from one group of nodes per orbit, generated on
    demand, so that the solution is optimal over all flows.

    Parameters
    ----------
    graph
        The links.

    Returns
    -------
    SymmetricFlow or None
        None if the links have no symmetries or more than 64 orbits, the program takes too long, or no traffic takes a
        link.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes.

    References
    ----------
    Dantzig and Wolfe, Decomposition principle for linear programs, 1960: the generation of columns.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> from .capacity_graph import capacity_graph
    >>> symmetric_flow(capacity_graph(Network(Torus(shape=(4, 6))))).rate  # 6 / 4 hops in the longer dimension
    Fraction(1, 18)
    """
    symmetry = graph_symmetry(graph)
    if symmetry is None or not 0 <= symmetry.link_orbit.max(initial=-1) < MAX_ORBITS:
        return None
    # Symmetries map the flows of one group to those of its orbit, so one source per orbit carries their sum.
    problem = _representatives(graph, symmetry)
    if problem is None:
        return None
    trees = OrbitTrees(problem, np.append(symmetry.link_orbit, len(problem.tail) * [-1])[: len(problem.tail)])
    solution = _solve(trees)
    if solution is None:
        return None
    program, columns, best = solution
    flows = np.stack([trees.flows(columns[number]) for number in program.weights])
    return SymmetricFlow(1 / program.load, symmetry, problem, flows, tuple(program.weights.values()), best.length)


def _representatives(graph: CapacityGraph, symmetry: GraphSymmetry) -> FlowProblem | None:
    """Return the demands of the first group of each orbit, times its size.

    None if there are none, or two groups send from the same switch.
    """
    sender = group_vertices(graph)[1]
    _, first, size = np.unique(symmetry.group_orbit, return_index=True, return_counts=True)
    problem = problem_of_groups(graph, first, np.outer(graph.nodes[first] * size, graph.nodes))
    return problem if len(np.unique(sender)) == len(sender) and len(problem.source) else None


def _solve(trees: OrbitTrees) -> tuple[OrbitProgram, list[Tree], Tree] | None:
    """Return the solved program, its columns, and the tree whose lengths prove it; None if it takes too long.

    New columns are trees for lengths between the best ones so far and the duals of the program, which jump from one
    vertex to another (Ben-Ameur and Neto, Acceleration of cutting-plane and column generation algorithms, 2007).
    """
    if (best := trees.tree([Fraction(1)] * len(trees.capacity))) is None:
        return None
    program, columns = OrbitProgram(trees.capacity, best.loads), [best]
    while program.changes < MAX_CHANGES:
        # Shortest paths need lengths of at least 0, which the duals of a basis with missing slacks may violate.
        program.enter_slacks()
        # A mixed tree may not improve the program although a better one exists: then the duals themselves decide.
        for share in (STABILITY, Fraction(0)):
            mixed = [share * a + (1 - share) * b for a, b in zip(best.lengths, program.lengths, strict=True)]
            if (tree := trees.tree(mixed)) is None:
                return None
            best = max(best, tree, key=lambda each: each.bound)
            # Equal in fractions: the mixture of trees and the lengths prove each other optimal.
            if best.bound == program.load:
                return program, columns, best
            if program.improves(tree.loads):
                break
        else:  # the duals are too large for integers
            return None
        program.enter_tree(len(columns), tree.loads)
        columns.append(tree)
    return None
