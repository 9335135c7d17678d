"""The linear program of the largest concurrent flow, for small networks."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .capacity_graph import CapacityGraph

if TYPE_CHECKING:
    from ortools.math_opt.model_pb2 import ModelProto

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ANY_DETOUR = 1 << 30
ITERATIONS = 200_000  # of the solver: far more than it needs
PRECISION = 2e-5  # of the solver; the load of the busiest link is about 1


@dataclass(frozen=True, eq=False)
class FlowSolution:
    """Solution of the program in floating point: near the optimum, but not proven.

    Parameters
    ----------
    peak
        Load of the busiest link relative to its capacity, if every node sends one packet to every node.
    length : float64[links]
        The dual of each capacity: the optimal length of the link.
    """

    peak: float
    length: Floats


def solve_flow_program(graph: CapacityGraph, detour: int) -> FlowSolution | None:
    """Minimise the load of the busiest link over all ways to split the traffic of every node over its paths.

    Flows of a group of nodes to all other groups are aggregated. They take links on which the distance from the group
    grows by at least 1 - `detour` hops: 0 allows the shortest paths in each plane, `ANY_DETOUR` all of them.

    Returns
    -------
    FlowSolution or None
        None if the solver found no dual solution.

    References
    ----------
    Applegate et al., Practical large-scale linear programming using primal-dual hybrid gradient, 2021.
    """
    from ortools.math_opt.python import mathopt  # lazy import: it takes a second

    scale = float(graph.nodes.sum()) ** 2 / float(graph.capacity.sum())  # the mean number of hops is about 1 load
    model = mathopt.Model.from_model_proto(_program(graph, detour, scale))
    parameters = mathopt.SolveParameters(iteration_limit=ITERATIONS)
    parameters.pdlp.termination_criteria.simple_optimality_criteria.eps_optimal_relative = PRECISION
    parameters.pdlp.termination_criteria.simple_optimality_criteria.eps_optimal_absolute = PRECISION
    result = mathopt.solve(model, mathopt.SolverType.PDLP, params=parameters)
    if not result.solutions or result.solutions[0].dual_solution is None:
        return None
    duals = result.solutions[0].dual_solution.dual_values
    rows = list(model.linear_constraints())[: len(graph.tail)]
    length = np.maximum(0.0, -np.array([duals[row] for row in rows]))
    return FlowSolution(float(result.objective_value()) * scale, length)


def hop_distances(graph: CapacityGraph) -> Ints:
    """Return the distance of every switch from every group of nodes, in hops, as int64[groups, switches].

    It is at least the number of switches where no path leads.
    """
    distance = np.full((graph.switches, graph.switches), graph.switches, dtype=np.int64)
    distance[graph.tail, graph.head] = 1
    np.fill_diagonal(distance, 0)
    for middle in range(graph.switches):
        np.minimum(distance, distance[:, middle, None] + distance[middle], out=distance)
    return np.stack([distance[graph.group_switches(group)].min(axis=0) for group in range(len(graph.nodes))])


class _Rows:
    """Collects the entries of a sparse matrix."""

    def __init__(self) -> None:
        self.parts: list[tuple[Ints, Ints, Floats]] = []

    def add(self, row: Ints, column: Ints, value: Floats | float) -> None:
        shape = np.broadcast_shapes(row.shape, column.shape)
        self.parts.append(
            (np.broadcast_to(row, shape), np.broadcast_to(column, shape), np.broadcast_to(np.asarray(value), shape))
        )

    def sorted(self) -> tuple[Ints, Ints, Floats]:
        row, column, value = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        order = np.lexsort((column, row))
        return row[order], column[order], value[order]


def _program(graph: CapacityGraph, detour: int, scale: float) -> "ModelProto":
    """Return the program; variable 0 is the load of the busiest link, in units of `scale`.

    For each group s of senders there are flows over links and, for each of its links and each link of every group, the
    traffic that enters or leaves there. Rows: the capacity of each link; per s, the balance of each switch, the traffic
    that s sends, and the traffic that each group receives, in packets per node of s.
    """
    links, groups, switches = len(graph.tail), len(graph.nodes), graph.switches
    distance, rows = hop_distances(graph), _Rows()
    all_links = np.arange(links)
    rows.add(all_links, np.zeros(links, dtype=np.int64), -graph.capacity.astype(float) * scale)
    group_of_link = np.repeat(np.arange(groups), np.diff(graph.group_links.start))
    at, received, columns = graph.group_links.at, len(graph.group_links.at), 1
    for sender in range(groups):
        first = links + sender * (switches + 1 + groups)
        usable = distance[sender, graph.tail] < switches
        usable &= distance[sender, graph.tail] + 1 - distance[sender, graph.head] <= detour
        used = np.flatnonzero(usable)
        flow = columns + np.arange(len(used))
        rows.add(used, flow, float(graph.nodes[sender]))
        rows.add(first + graph.tail[used], flow, -1.0)
        rows.add(first + graph.head[used], flow, 1.0)
        entering = columns + len(used) + np.flatnonzero(group_of_link == sender) - graph.group_links.start[sender]
        rows.add(first + at[group_of_link == sender], entering, 1.0)
        rows.add(np.full(len(entering), first + switches), entering, 1.0)
        leaving = columns + len(used) + len(entering) + np.arange(received)
        rows.add(first + at, leaving, -1.0)
        rows.add(first + switches + 1 + group_of_link, leaving, 1.0)
        columns += len(used) + len(entering) + received
    demand = np.concatenate([np.zeros(switches), [float(graph.nodes.sum())], graph.nodes.astype(float)])
    return _model(rows, columns, np.concatenate([np.zeros(links), np.tile(demand, groups)]), links)


def _model(rows: _Rows, columns: int, demand: Floats, inequalities: int) -> "ModelProto":
    from ortools.math_opt import model_pb2

    proto = model_pb2.ModelProto()
    proto.variables.ids.extend(range(columns))
    proto.variables.lower_bounds.extend([0.0] * columns)
    proto.variables.upper_bounds.extend([np.inf] * columns)
    proto.variables.integers.extend([False] * columns)
    proto.objective.linear_coefficients.ids.append(0)
    proto.objective.linear_coefficients.values.append(1.0)
    lower = demand.copy()
    lower[:inequalities] = -np.inf
    proto.linear_constraints.ids.extend(range(len(demand)))
    proto.linear_constraints.lower_bounds.extend(lower)
    proto.linear_constraints.upper_bounds.extend(demand)
    row, column, value = rows.sorted()
    proto.linear_constraint_matrix.row_ids.extend(row)
    proto.linear_constraint_matrix.column_ids.extend(column)
    proto.linear_constraint_matrix.coefficients.extend(value)
    return proto
