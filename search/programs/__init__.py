"""Circuit assignment by integer programming, with CP-SAT, HiGHS or Gurobi."""

from .assign import FORMULA, Assignment, assign_circuits, formula_bound_ns
from .solvers.solver import SOLVERS
from .solvers.solver_handle import SolverHandle

__all__ = ["FORMULA", "SOLVERS", "Assignment", "SolverHandle", "assign_circuits", "formula_bound_ns"]
