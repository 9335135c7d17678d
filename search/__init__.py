"""Search for better networks: spaces, strategies, stopping criteria and `solve`."""

from isoplane.fleet.threads import Fleet, Threads

from .anneal import Anneal
from .auto import Auto
from .checkpoint import Checkpoint
from .circuits.assignments import Assignments
from .circuits.circuit_rule import CircuitRule
from .circuits.methods import CircuitMethods
from .circuits.program import ProgramCircuits
from .cubes.connection_sets import ConnectionSets
from .cubes.exact import Exact
from .cubes.methods import BasisMethods, WorkloadBasisMethods
from .cubes.workload_sets import WorkloadConnectionSets
from .enumerate import Enumerate
from .methods import Methods, methods_of
from .neighbourhood import Neighbourhood
from .pareto import Pareto
from .portfolio import Portfolio
from .solve import Solution, solve
from .space import BoundSource, Candidate, Space, space_of
from .stop import Limits, Progress, Stop, StopWithObserver
from .strategy import Round, Strategy, Task
from .temper import Temper

__all__ = [
    "Anneal",
    "Assignments",
    "Auto",
    "BasisMethods",
    "BoundSource",
    "Candidate",
    "Checkpoint",
    "CircuitMethods",
    "CircuitRule",
    "ConnectionSets",
    "Enumerate",
    "Exact",
    "Fleet",
    "Limits",
    "Methods",
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
    "WorkloadBasisMethods",
    "WorkloadConnectionSets",
    "methods_of",
    "solve",
    "space_of",
]
