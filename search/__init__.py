"""How to find better networks: spaces, strategies, stops and `solve`."""

from .anneal import Anneal
from .auto import Auto
from .exact import Exact
from .journal import Journal
from .neighbourhood import Neighbourhood
from .pareto import Pareto
from .portfolio import Portfolio
from .solve import Solution, solve
from .space import ConnectionSets
from .stop import Limits, Progress, Stop, Watched, relative_gap
from .strategy import Round, Strategy, Task
from .temper import Temper
from .threads import Fleet, Threads

__all__ = [
    "Anneal",
    "Auto",
    "ConnectionSets",
    "Exact",
    "Fleet",
    "Journal",
    "Limits",
    "Neighbourhood",
    "Pareto",
    "Portfolio",
    "Progress",
    "Round",
    "Solution",
    "Stop",
    "Strategy",
    "Task",
    "Temper",
    "Threads",
    "Watched",
    "relative_gap",
    "solve",
]
