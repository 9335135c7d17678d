"""Circuit assignment stated as an integer program, and solved by CP-SAT, HiGHS or Gurobi."""

from .assign import Assignment, assign_circuits
from .solvers import SOLVERS

__all__ = ["SOLVERS", "Assignment", "assign_circuits"]
