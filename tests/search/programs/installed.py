"""The solvers installed here; without gurobipy, `gurobi` would fall back to CP-SAT."""

from importlib.util import find_spec

from isoplane.search.programs import SOLVERS

INSTALLED = [name for name in SOLVERS if name != "gurobi" or find_spec("gurobipy")]
