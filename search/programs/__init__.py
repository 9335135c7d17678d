"""Integer programs of circuits and of exchanges in phases, and their solvers."""

from .circuit_solution import FORMULA, CircuitSolution, assign_circuits, formula_bound_ns
from .solvers.solver import SOLVERS
from .solvers.solver_handle import SolverHandle

__all__ = ["FORMULA", "SOLVERS", "CircuitSolution", "SolverHandle", "assign_circuits", "formula_bound_ns"]
