"""The networks of the figures: identical planes, and the best designs that a search finds."""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from isoplane.models import Design, Network, dual_cube
from isoplane.runs.config.setup import named_objective
from isoplane.runs.figures.searches import Search
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes
from isoplane.search import ConnectionSets, Fleet

IDENTICAL = ("D-HC", "D-FHC")
OBJECTIVES = {
    "DI-HC": "aspl_and_traffic",
    "DI-HC-r": "delay_paper_and_traffic",
    "DI-FHC": "aspl_and_traffic",
    "DI-FHC-r": "delay_paper_and_traffic",
}
NETWORKS = ("D-HC", "DI-HC", "DI-HC-r", "D-FHC", "DI-FHC", "DI-FHC-r")


SolveDesign = Callable[[bool, int, str], Network]  # called with (folded, n, name of the objective)


def is_folded(network: str) -> bool:
    """Whether the planes of a network of `NETWORKS` are folded cubes."""
    return "FHC" in network


def baseline(network: str) -> str:
    """Return the identical planes that a network is compared with."""
    return "D-FHC" if is_folded(network) else "D-HC"


def designs(sizes: Iterable[int], networks: Iterable[str], solve_design: SolveDesign) -> Iterator[EvaluatedCubes]:
    """Yield the design of every network at every size, sizes outermost; its title is the name of the network.

    Parameters
    ----------
    sizes
        Dimensions.
    networks
        Names in `NETWORKS`.
    solve_design
        Called for every network except identical planes.

    References
    ----------
    Hosomi et al. 2021, section 2.4 (DI-) and section 3.2.2 (-r).

    Examples
    --------
    >>> [(design.title, design.cubes.n) for design in designs((3, 4), IDENTICAL, None)]
    [('D-HC', 3), ('D-FHC', 3), ('D-HC', 4), ('D-FHC', 4)]
    """
    networks = tuple(networks)
    for n in sizes:
        for network in networks:
            folded = is_folded(network)
            if network in IDENTICAL:
                planes = dual_cube(n, tuple(1 << i for i in range(n)), folded)
            else:
                planes = solve_design(folded, n, OBJECTIVES[network])
            yield EvaluatedCubes(network, Design(planes))


def best_designs(search: Search, fleet: Fleet, folder: Path) -> SolveDesign:
    """Return a search for each design of a figure in a folder, as `designs` calls it."""

    def solve_design(folded: bool, n: int, objective_name: str) -> Network:
        space = ConnectionSets(n, folded)  # racks, prices and switches of the paper
        print(f"{space.identical.name} n={n} {objective_name}", file=sys.stderr)
        return search(space, named_objective(objective_name), fleet, folder, n).design.network

    return solve_design
