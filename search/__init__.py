"""Search for better networks: spaces, strategies, stopping criteria and `solve`."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from isoplane.fleet.threads import Fleet, Threads
    from isoplane.objectives.bounds import BoundSource

    from .circuits.methods import CircuitMethods
    from .circuits.program_circuits import ProgramCircuits
    from .circuits.rule_rounds import CircuitRule
    from .circuits.space import CircuitSpace
    from .core.checkpoint import Checkpoint
    from .core.methods import Methods, methods_of
    from .core.solve import Solution, solve
    from .core.space import Candidate, Space, space_of
    from .core.stop import Limits, Progress
    from .core.strategy import Round, Strategy, Task
    from .cubes.exact_search import Exact
    from .cubes.methods import BasisMethods
    from .cubes.space import ConnectionSets
    from .strategies.anneal import Anneal
    from .strategies.auto import Auto
    from .strategies.enumerate import Enumerate
    from .strategies.neighbourhood import Neighbourhood
    from .strategies.pareto import Pareto
    from .strategies.portfolio import Portfolio
    from .strategies.temper import Temper
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "Anneal",
    "Auto",
    "BasisMethods",
    "BoundSource",
    "Candidate",
    "Checkpoint",
    "CircuitMethods",
    "CircuitRule",
    "CircuitSpace",
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
    "Strategy",
    "Task",
    "Temper",
    "Threads",
    "methods_of",
    "solve",
    "space_of",
]
