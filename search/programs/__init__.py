"""Circuit assignment stated as an integer program, and solved by CP-SAT, HiGHS or Gurobi."""

from .assign import Assignment, assign_circuits
from .running import Running
from .solvers import SOLVERS

__all__ = ["SOLVERS", "Assignment", "Running", "assign_circuits"]
