"""Gaps of maximum concurrent flows on 20 networks of 256 switches, from seeds, and the time they take on one core.

``python benchmarks/flows.py --check``, with one setting for all: ``regular`` sends all-to-all over random regular
graphs of degree 4 to 16; ``clustered`` over clusters with few links between them; ``geometric`` between neighbours on a
floor, over links of 10 to 100 units; ``sparse`` sends random amounts between 2 to 10 % of the pairs, and
``permutation`` from every switch to one other. The bounds are recomputed by the reference, which shares no code with
the solver. Then come symmetric networks of 4,096 switches in each plane, whose rates are exact. Seconds are those of
the processor. With --check the exit code is 1 if, after 60 of them, the gap of a regular graph exceeds 0.5 %, or any
other 2 %, or if a symmetric network takes more than 10.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from isoplane.models import Network, Site, dual_cube
from isoplane.models.arrays import Ints
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.objectives.reference.concurrent_flow import verified_bound, verified_flow
from isoplane.objectives.structure import ConcurrentFlow, FlowProblem, improving_flows, symmetric_flow
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph

Cables = Ints  # int64[cables, 3]: two switches and the capacity in each direction

SWITCHES, SECONDS = 256, 60.0
GOALS = {"regular": 0.005}  # relative gap, by kind
GOAL, ENOUGH = 0.02, 1e-4  # of the other kinds; a search ends at the second one
RATES = (10, 25, 40, 100)
SYMMETRIC_SECONDS = 10.0
BASIS = tuple(1 << i | int(np.random.default_rng(i).integers(0, 1 << i)) for i in range(12))  # of a random cube


def regular(degree: int, seed: int, switches: int = SWITCHES) -> Cables:
    """Return a random regular graph with links of capacity 1."""
    peer = RandomRegular(switches=switches, degree=degree, seed=seed).topology().peer
    switch, port = np.nonzero(peer > np.arange(switches)[:, None])
    return np.stack([switch, peer[switch, port], np.ones(len(switch), dtype=np.int64)], axis=1)


def clustered(clusters: int, degree: int, outside: int, seed: int) -> Cables:
    """Return regular clusters, each with a cable to the next one and others to random ones."""
    random, size = np.random.default_rng(seed), SWITCHES // clusters
    parts = [regular(degree, seed + i, size) + np.array([i * size, i * size, 0]) for i in range(clusters)]
    for cluster in range(clusters):
        for number in range(outside):
            other = (cluster + (1 if number == 0 else int(random.integers(1, clusters)))) % clusters
            ends = np.array([cluster, other]) * size + random.integers(0, size, 2)
            parts.append(np.array([[*ends, 1]]))
    return np.concatenate(parts)


def geometric(neighbours: int, seed: int) -> Cables:
    """Return cables of random rates from every point of a square to its nearest ones, and a tree that joins all."""
    random = np.random.default_rng(seed)
    place = random.random((SWITCHES, 2))
    distance = np.linalg.norm(place[:, None] - place, axis=2)
    pairs = {tuple(sorted((i, int(j)))) for i in range(SWITCHES) for j in np.argsort(distance[i])[1 : neighbours + 1]}
    joined = [0]
    while len(joined) < SWITCHES:  # the shortest tree
        apart = np.delete(np.arange(SWITCHES), joined)
        i, j = np.unravel_index(distance[np.ix_(joined, apart)].argmin(), (len(joined), len(apart)))
        pairs.add(tuple(sorted((joined[i], int(apart[j])))))
        joined.append(int(apart[j]))
    return np.array([[*pair, random.choice(RATES)] for pair in sorted(pairs)])


def all_to_all(_: int) -> Ints:
    """Return one unit for every pair."""
    return 1 - np.eye(SWITCHES, dtype=np.int64)


def sparse(share: float) -> Callable[[int], Ints]:
    """Return 1 to 10 units for a share of the pairs."""

    def traffic(seed: int) -> Ints:
        random = np.random.default_rng(seed)
        units = random.integers(1, 11, (SWITCHES, SWITCHES)) * (random.random((SWITCHES, SWITCHES)) < share)
        np.fill_diagonal(units, 0)
        return units

    return traffic


def permutation(seed: int) -> Ints:
    """Return one unit from every switch to the next one in a random order."""
    order = np.random.default_rng(seed).permutation(SWITCHES)
    traffic = np.zeros((SWITCHES, SWITCHES), dtype=np.int64)
    traffic[order, np.roll(order, 1)] = 1
    return traffic


INSTANCES: dict[str, tuple[Callable[[], Cables], Callable[[int], Ints]]] = {
    **{f"regular-{degree}": (lambda degree=degree: regular(degree, 1), all_to_all) for degree in (4, 8, 12, 16)},
    "clustered-4": (lambda: clustered(4, 8, 16, 1), all_to_all),
    "clustered-8": (lambda: clustered(8, 6, 8, 2), all_to_all),
    "clustered-16": (lambda: clustered(16, 6, 4, 3), all_to_all),
    "clustered-32": (lambda: clustered(32, 4, 3, 4), all_to_all),
    **{f"geometric-{near}": (lambda near=near: geometric(near, near), all_to_all) for near in (3, 4, 6, 8)},
    "sparse-regular-6": (lambda: regular(6, 5), sparse(0.02)),
    "sparse-regular-10": (lambda: regular(10, 6), sparse(0.05)),
    "sparse-geometric": (lambda: geometric(5, 7), sparse(0.05)),
    "sparse-clustered": (lambda: clustered(8, 6, 8, 8), sparse(0.1)),
    "permutation-regular-6": (lambda: regular(6, 9), permutation),
    "permutation-regular-16": (lambda: regular(16, 10), permutation),
    "permutation-geometric": (lambda: geometric(6, 11), permutation),
    "permutation-clustered": (lambda: clustered(16, 6, 4, 12), permutation),
}


SYMMETRIC: dict[str, Callable[[], Network]] = {
    "torus-64x64": lambda: Network(Torus(shape=(64, 64)), Site(layout=None)),
    "torus-32x16x8": lambda: Network(Torus(shape=(32, 16, 8)), Site(layout=None)),
    "hyperx-64x64": lambda: Network(HyperX(shape=(64, 64)), Site(layout=None)),
    "hyperx-16x16x16": lambda: Network(HyperX(shape=(16, 16, 16)), Site(layout=None)),
    "cube-12": lambda: dual_cube(12, tuple(1 << i for i in range(12)), layout=None),
    "dual-cube-12": lambda: dual_cube(12, BASIS, layout=None),
    "dual-folded-cube-12": lambda: dual_cube(12, BASIS, folded=True, layout=None),
}


def problem_of(name: str) -> FlowProblem:
    """Return an instance; parallel links are one with the sum of their capacities."""
    make_cables, make_traffic = INSTANCES[name]
    cables, traffic = make_cables(), make_traffic(sum(name.encode()))
    ends = np.concatenate([cables[:, :2], cables[:, 1::-1]])
    links, index = np.unique(ends @ [SWITCHES, 1], return_inverse=True)
    capacity = np.zeros(len(links), dtype=np.int64)
    np.add.at(capacity, index, np.tile(cables[:, 2], 2))
    source = np.flatnonzero(traffic.any(axis=1))
    return FlowProblem(links // SWITCHES, links % SWITCHES, capacity, source, traffic[source])


def solve(problem: FlowProblem, seconds: float) -> Iterator[tuple[float, ConcurrentFlow]]:
    """Yield the best bounds so far with the seconds of the processor that they took."""
    start = time.thread_time()
    for found in improving_flows(problem):
        yield time.thread_time() - start, found
        if found.gap <= ENOUGH or time.thread_time() - start > seconds:
            return


def measure(name: str, seconds: float) -> bool:
    """Print the bounds of an instance, and return whether they reach the goal of its kind in time."""
    problem, goal = problem_of(name), GOALS.get(name.split("-", maxsplit=1)[0], GOAL)
    reached, found = None, None
    for spent, found in solve(problem, seconds):
        if reached is None and found.gap <= goal and spent <= seconds:
            reached = spent
    assert found is not None
    links = list(zip(problem.tail.tolist(), problem.head.tolist(), problem.capacity.tolist(), strict=True))
    lower = verified_flow(links, problem.source.tolist(), problem.demand, found.flow, found.scale)
    upper = verified_bound(links, problem.source.tolist(), problem.demand, found.length.tolist())
    is_verified = (lower, upper) == (found.lower, found.upper)
    print(
        f"{name:23}{len(links):6}  {float(lower):.7g}  {float(upper):.7g}  {found.gap:8.4%}  {spent:6.1f} s  "
        f"{goal:.1%} after {'no time' if reached is None else f'{reached:.1f} s'}"
        f"{'' if is_verified else '  not verified'}",
        flush=True,
    )
    return is_verified and reached is not None


def measure_symmetric(name: str) -> bool:
    """Print the exact throughput per node of a symmetric network, and return whether it is known in time."""
    start = time.thread_time()
    network = SYMMETRIC[name]()
    graph = capacity_graph(network)
    found, spent = symmetric_flow(graph), time.thread_time() - start
    rate = None if found is None else found.rate * network.nodes / graph.unit
    orbits = 0 if found is None else int(found.symmetry.link_orbit.max()) + 1
    print(f"{name:23}{len(graph.tail):6}  orbits {orbits:2}  throughput {rate}  {spent:.1f} s", flush=True)
    return found is not None and spent <= SYMMETRIC_SECONDS


def main() -> int:
    """Measure all instances, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instance", nargs="+", choices=[*INSTANCES, *SYMMETRIC], default=[*INSTANCES, *SYMMETRIC])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    print("instance, links, lower bound, upper bound, gap, seconds, goal")
    general = [measure(name, arguments.seconds) for name in arguments.instance if name in INSTANCES]
    symmetric = [measure_symmetric(name) for name in arguments.instance if name in SYMMETRIC]
    return int(arguments.check and not all([*general, *symmetric]))


if __name__ == "__main__":
    sys.exit(main())
