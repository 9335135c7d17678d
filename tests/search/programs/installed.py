"""The solvers available here; without gurobipy that name would mean CP-SAT again."""

from importlib.util import find_spec

from isoplane.search.programs import SOLVERS

INSTALLED = [name for name in SOLVERS if name != "gurobi" or find_spec("gurobipy")]
