"""Solvers that can be asked here: without gurobipy that name would be CP-SAT once more."""

from importlib.util import find_spec

from isoplane.search.programs import SOLVERS

INSTALLED = [name for name in SOLVERS if name != "gurobi" or find_spec("gurobipy")]
