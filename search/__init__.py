"""How to find better networks: spaces, strategies, stops and `solve`."""

from isoplane.fleet.threads import Fleet, Threads

from .auto import Auto
from .checkpoint import Checkpoint
from .circuits.assignments import Assignments
from .circuits.enumeration import EnumerateCircuits
from .circuits.program import ProgramCircuits
from .circuits.strategies import AnnealCircuits, CircuitRule
from .cubes.anneal import Anneal
from .cubes.connection_sets import ConnectionSets
from .cubes.exact import Exact
from .cubes.neighbourhood import Neighbourhood
from .cubes.pareto import Pareto
from .cubes.portfolio import Portfolio
from .cubes.temper import Temper
from .solve import Solution, solve
from .space import BoundSource, Candidate, Space
from .stop import Limits, Progress, Stop, StopWithObserver
from .strategy import Round, Strategy, Task

__all__ = [
    "Anneal",
    "AnnealCircuits",
    "Assignments",
    "Auto",
    "BoundSource",
    "Candidate",
    "Checkpoint",
    "CircuitRule",
    "ConnectionSets",
    "EnumerateCircuits",
    "Exact",
    "Fleet",
    "Limits",
    "Neighbourhood",
    "Pareto",
    "Portfolio",
    "ProgramCircuits",
    "Progress",
    "Round",
    "Solution",
    "Space",
    "Stop",
    "StopWithObserver",
    "Strategy",
    "Task",
    "Temper",
    "Threads",
    "solve",
]
