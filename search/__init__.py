"""How to find better networks: spaces, strategies, stops and `solve`."""

from .anneal import Anneal
from .assignments import Assignments
from .auto import Auto
from .circuit_enumeration import EnumerateCircuits
from .circuit_program import ProgramCircuits
from .circuit_strategies import AnnealCircuits, CircuitRule
from .connection_sets import ConnectionSets
from .exact import Exact
from .journal import Journal
from .neighbourhood import Neighbourhood
from .pareto import Pareto
from .portfolio import Portfolio
from .solve import Solution, solve
from .space import BoundSource, Candidate, Space
from .stop import Limits, Progress, Stop, Watched
from .strategy import Round, Strategy, Task
from .temper import Temper
from .threads import Fleet, Threads

__all__ = [
    "Anneal",
    "AnnealCircuits",
    "Assignments",
    "Auto",
    "BoundSource",
    "Candidate",
    "CircuitRule",
    "ConnectionSets",
    "EnumerateCircuits",
    "Exact",
    "Fleet",
    "Journal",
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
    "Strategy",
    "Task",
    "Temper",
    "Threads",
    "Watched",
    "solve",
]
