"""Random concurrent flows, their linear program in HiGHS, and the verification of a solution."""

import datetime

import numpy as np
from ortools.math_opt.python import mathopt

from isoplane.objectives.reference.concurrent_flow import verified_bound, verified_flow
from isoplane.objectives.structure.flows.flow_problem import FlowProblem


def random_problem(seed, has_unlimited_links=False):
    """Return a strongly connected problem of up to 10 vertices with random capacities and demands."""
    random = np.random.default_rng(seed)
    vertices = int(random.integers(2, 11))
    ring = {(i, (i + 1) % vertices) for i in range(vertices)}
    chords = {tuple(pair) for pair in random.integers(0, vertices, (2 * vertices, 2)).tolist() if pair[0] != pair[1]}
    tail, head = np.array(sorted(ring | chords)).T
    capacity = random.integers(1, 20, len(tail))
    if has_unlimited_links:
        capacity[random.random(len(tail)) < 0.3] = 0
        capacity[0] = 5
    source = np.sort(random.choice(vertices, int(random.integers(1, vertices + 1)), replace=False))
    demand = random.integers(0, 6, (len(source), vertices))
    demand[np.arange(len(source)), source] = 0
    demand[0, (source[0] + 1) % vertices] += 1
    return FlowProblem(tail, head, capacity, source, demand)


def optimum(problem):
    """Return the highest rate: the optimum of the linear program, in which each source has a flow over each link."""
    model = mathopt.Model()
    rate = model.add_variable(lb=0)
    flows = [[model.add_variable(lb=0) for _ in problem.tail] for _ in problem.source]
    for source, demand, flow in zip(problem.source, problem.demand, flows, strict=True):
        arriving = [0.0] * problem.demand.shape[1]
        for tail, head, units in zip(problem.tail, problem.head, flow, strict=True):
            arriving[tail] -= units
            arriving[head] += units
        for vertex, wanted in enumerate(demand.tolist()):
            model.add_linear_constraint(arriving[vertex] == rate * (wanted if vertex != source else -int(demand.sum())))
    for link, capacity in enumerate(problem.capacity.tolist()):
        if capacity:
            model.add_linear_constraint(sum(flow[link] for flow in flows) <= capacity)
    model.maximize(rate)
    limit = mathopt.SolveParameters(time_limit=datetime.timedelta(seconds=60))
    result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=limit)
    if result.termination.reason is not mathopt.TerminationReason.OPTIMAL:
        return None
    return result.objective_value()


def verified(problem, found):
    """Return both bounds of a solution, recomputed by the reference."""
    links = list(zip(problem.tail.tolist(), problem.head.tolist(), problem.capacity.tolist(), strict=True))
    return (
        verified_flow(links, problem.source.tolist(), problem.demand, found.flow, found.scale),
        verified_bound(links, problem.source.tolist(), problem.demand, found.length.tolist()),
    )
