"""Circuit assignment stated as an integer program, and solved by CP-SAT, HiGHS or Gurobi."""

from .assign import FORMULA, Assignment, assign_circuits, formula_bound_ns
from .running import Running
from .solvers import SOLVERS

__all__ = ["FORMULA", "SOLVERS", "Assignment", "Running", "assign_circuits", "formula_bound_ns"]
