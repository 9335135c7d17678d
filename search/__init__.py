"""How to find better networks: spaces, strategies, stops and `solve`."""

from .anneal import Anneal
from .auto import Auto
from .exact import Exact
from .journal import Journal
from .pareto import Pareto
from .solve import Solution, solve
from .space import ConnectionSets
from .stop import Limits, Progress, Stop, Watched, relative_gap
from .strategy import Round, Strategy, Task
from .threads import Fleet, Threads

__all__ = [
    "Anneal",
    "Auto",
    "ConnectionSets",
    "Exact",
    "Fleet",
    "Journal",
    "Limits",
    "Pareto",
    "Progress",
    "Round",
    "Solution",
    "Stop",
    "Strategy",
    "Task",
    "Threads",
    "Watched",
    "relative_gap",
    "solve",
]
