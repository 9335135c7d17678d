"""Lower bounds on the capacity of balanced cuts."""

from math import ceil, gcd

import numpy as np

from isoplane.models.arrays import Floats

from ..flows.capacity_graph import CapacityGraph
from ..flows.link_lengths import LEAST_SOURCES, equal_lengths, search_lengths
from .partition_graph import PartitionGraph

MAX_VISITS = 1 << 28  # of links from all groups of nodes: seconds
MAX_DENSE = 4200  # vertices: a matrix of 140 MB, factorised in seconds
MAX_EIGENVALUES = 700
ROUNDING = 1e-9  # relative error of a flow in floating point, at most
STEPS = 300  # of the Lanczos method
EXHAUSTED = 1e-10  # relative length of a residual that is rounding error only
MARGINS = (1e-9, 1e-3, 1e-1)  # relative reductions of an eigenvalue until it is certified


def cut_unit(graph: PartitionGraph) -> int:
    """Return the greatest common divisor of the capacities, of which every cut is a multiple."""
    return gcd(*graph.cost.tolist(), *graph.node_cost.tolist())


def traffic_bound(capacities: CapacityGraph, graph: PartitionGraph) -> int:
    """Return a lower bound on the capacity of a balanced cut: the traffic that a known flow carries across it.

    The flow is that of `search_lengths` for up to 128 groups of nodes, else that of all shortest paths; the bound is 0
    if these would visit more than 2^28 links.

    All-to-all traffic at rate θ per node sends θ · A · B / N from the A nodes of one side to the B nodes of the other.
    If m nodes of a divided switch change sides, their own links are cut instead, and A and B differ by m from halves.
    It is 0 if planes attach the nodes of a switch to different switches: links of nodes, which no flow counts, are cut.

    Parameters
    ----------
    capacities, graph
        The links, and the `partition_graph` of the network.
    """
    if capacities.visits > MAX_VISITS:
        return 0
    is_small = len(capacities.nodes) <= LEAST_SOURCES
    _, throughput = search_lengths(capacities, seed=0) if is_small else equal_lengths(capacities)
    if throughput is None or not graph.keeps_nodes_together:
        return 0
    nodes, node_cost = graph.nodes, int(graph.node_cost[graph.weight > 0].min())
    per_pair = throughput * (1 - ROUNDING) * capacities.unit / nodes
    return min(
        ceil(per_pair * (half - moved) * (nodes - half + moved)) + moved * node_cost
        for half in {nodes // 2, nodes - nodes // 2}
        for moved in range(min(half, int(graph.weight.max()) // 2) + 1)
    )


def spectral_bound(graph: PartitionGraph) -> int | None:
    """Return a lower bound on the capacity of a balanced cut, from the smallest eigenvalue of a matrix.

    For x_v = ±1 by side, 4 · cut = xᵀ L x with the Laplacian L. With the unit vector ŵ along the weights and
    M = L + c ŵ ŵᵀ, xᵀ M x = 4 · cut + c (w · x)² / |w|² ≥ λ_min(M) · V; w · x is at most 1, plus 2 for each moved node
    of a divided vertex. The estimate of λ_min is certified by a Cholesky factorisation of M - λ I, whose rounding error
    is far below the first margin. Beyond 4,200 vertices it is None.

    References
    ----------
    Donath and Hoffman, Lower bounds for the partitioning of graphs, 1973.
    """
    vertices = graph.vertices
    if vertices > MAX_DENSE:
        return None
    if not len(graph.cost):
        return 0
    scale = cut_unit(graph)
    matrix, factor = _matrix(graph, scale)
    eigenvalue = _certified_eigenvalue(graph, matrix, scale, factor)
    weights = graph.weight.astype(float)
    # The cheapest node that could move: the bound must hold for a division of any vertex.
    node_cost, odd = float(graph.node_cost[graph.weight > 0].min()) / scale, graph.nodes % 2
    smallest: float = min(
        (eigenvalue * vertices - factor * (2 * moved + odd) ** 2 / (weights @ weights)) / 4 + moved * node_cost
        for moved in range(int(graph.weight.max()) // 2 + 1)
    )
    return max(0, ceil(smallest - 1e-6 * max(1.0, abs(smallest)))) * scale


def _matrix(graph: PartitionGraph, scale: int) -> tuple[Floats, float]:
    """Return L + c ŵ ŵᵀ in units of `scale`, and c, twice the largest degree: at least the largest eigenvalue of L."""
    matrix = np.zeros((graph.vertices, graph.vertices))
    matrix[graph.tail, graph.head] = matrix[graph.head, graph.tail] = -graph.cost / scale
    degrees = -matrix.sum(axis=1)
    factor = 2 * float(degrees.max())
    np.fill_diagonal(matrix, degrees)
    direction = graph.weight / np.linalg.norm(graph.weight)
    return matrix + factor * np.outer(direction, direction), factor


def _certified_eigenvalue(graph: PartitionGraph, matrix: Floats, scale: int, factor: float) -> float:
    """Return a certified lower bound on the smallest eigenvalue, close to it; 0 if none is certified."""
    is_small = len(matrix) <= MAX_EIGENVALUES
    estimate = float(np.linalg.eigvalsh(matrix)[0]) if is_small else _lanczos(graph, scale, factor)
    for margin in MARGINS if is_small else MARGINS[1:]:
        shifted = matrix.copy()
        shifted[np.diag_indices_from(shifted)] -= estimate * (1 - margin)
        try:
            # It succeeds only for a positive definite matrix, that is, if all eigenvalues exceed the shift.
            np.linalg.cholesky(shifted)
        except np.linalg.LinAlgError:
            continue
        return estimate * (1 - margin)
    return 0.0


def _lanczos(graph: PartitionGraph, scale: int, factor: float) -> float:
    """Return the smallest eigenvalue of the matrix on a Krylov space: an estimate from above.

    Networks with many symmetries have few different eigenvalues: a small Krylov space can be exhausted.
    """
    tail, head = np.concatenate([graph.tail, graph.head]), np.concatenate([graph.head, graph.tail])
    cost = np.concatenate([graph.cost, graph.cost]) / scale
    degrees = np.bincount(tail, cost, graph.vertices)
    direction = graph.weight / np.linalg.norm(graph.weight)
    basis, image = np.zeros((STEPS, graph.vertices)), np.zeros((STEPS, graph.vertices))
    # A fixed seed: the bound must not change from call to call, and any start off an eigenspace will do.
    vector = np.random.default_rng(0).standard_normal(graph.vertices)
    size = 0
    for step in range(STEPS):
        length = np.linalg.norm(vector)
        for _ in range(2):  # once more, against rounding errors
            vector = vector - basis[:step].T @ (basis[:step] @ vector)
        residual = np.linalg.norm(vector)
        if residual <= EXHAUSTED * length:
            break
        basis[step], size = vector / residual, step + 1
        image[step] = degrees * basis[step] - np.bincount(tail, cost * basis[step][head], graph.vertices)
        image[step] += factor * direction * (direction @ basis[step])
        vector = image[step]
    return float(np.linalg.eigvalsh(basis[:size] @ image[:size].T)[0])
