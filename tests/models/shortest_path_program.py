"""Reference for balanced routes: random regular graphs, loads of tables, and the linear program of their loads."""

import random

import igraph
import numpy as np
from ortools.linear_solver import pywraplp

from isoplane.models.routing import forwarding_table, hops
from isoplane.models.topologies import graph


def random_regular(switches, degree, seed):
    """Return the topology of a random regular simple graph."""
    random.seed(seed)  # igraph draws from this generator
    return graph(igraph.Graph.K_Regular(switches, degree).get_edgelist(), switches)


def loads(topology, table):
    """The load of every link if each switch sends a packet to each other one, by following every route."""
    load = np.zeros(topology.peer.shape, dtype=int)
    for source in range(topology.switches):
        for goal in range(topology.switches):
            here = source
            while here != goal:
                load[here, table[here, goal]] += 1
                here = topology.peer[here, table[here, goal]]
    return load


def least_heaviest(topology):
    """The least load of the heaviest link over all splittings of the traffic over shortest paths, by linear program."""
    length = hops(topology, forwarding_table(topology))
    solver = pywraplp.Solver.CreateSolver("GLOP")
    heaviest = solver.NumVar(0, solver.infinity(), "")
    capacity = {
        (here, port): solver.Constraint(-solver.infinity(), 0)
        for here, port in np.argwhere(topology.peer >= 0).tolist()
    }
    for row in capacity.values():
        row.SetCoefficient(heaviest, -1)
    for goal in range(topology.switches):
        balance = {here: solver.Constraint(1, 1) for here in range(topology.switches) if here != goal}
        for (here, port), row in capacity.items():
            there = int(topology.peer[here, port])
            if length[there, goal] + 1 == length[here, goal]:
                flow = solver.NumVar(0, solver.infinity(), "")
                row.SetCoefficient(flow, 1)
                balance[here].SetCoefficient(flow, 1)
                if there != goal:
                    balance[there].SetCoefficient(flow, -1)
    solver.Minimize(heaviest)
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    return heaviest.solution_value()
