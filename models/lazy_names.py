"""Names that packages hand on at their first use, so that a command loads only what it needs; modules that moved."""

import ast
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

# Modules that the documentation named before they moved into rooms.
MOVED = {
    "isoplane.models.contention_free_order": "isoplane.models.exchanges.contention_free_order",
    "isoplane.models.exchange_orders": "isoplane.models.exchanges.exchange_orders",
    "isoplane.models.npb": "isoplane.models.workloads.npb",
    "isoplane.models.prices": "isoplane.models.site.prices",
    "isoplane.models.process_programs": "isoplane.models.workloads.programs",
    "isoplane.models.racks": "isoplane.models.cabling.racks",
    "isoplane.objectives.growth": "isoplane.objectives.scale.growth",
    "isoplane.objectives.jobs": "isoplane.objectives.scale.jobs",
    "isoplane.objectives.structure.capacity_graph": "isoplane.objectives.structure.flows.capacity_graph",
    "isoplane.runs.report.block": "isoplane.runs.drawing.block",
}

# Names that packages handed on before: what each is now, and what of the package is handed on instead.
RENAMED = {
    "isoplane.models.HybridFamily": ("OpticalFamily", "OpticalFamily"),
    "isoplane.search.Assignments": ("CircuitSpace", "CircuitSpace"),
    "isoplane.search.WorkloadConnectionSets": ("ConnectionSets.with_workload", "ConnectionSets.with_workload"),
    "isoplane.objectives.METRICS": ("CUBE_METRICS", "CUBE_METRICS"),
    "isoplane.objectives.Metrics": ("CubeMetrics", "CubeMetrics"),
    "isoplane.objectives.CubeObjective": ("Lexicographic", "cube_objective"),
    "isoplane.objectives.NetworkTimeObjective": ("Lexicographic", "time_objective"),
}


def handed_on(package: str, source: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, for the names that it imports under ``if TYPE_CHECKING``.

    So the names stand in one place, which type checkers read too. No name may be that of a module of the package:
    whether it is the module or what the module defines would depend on what was imported before.

    Parameters
    ----------
    package, source
        Name and file of the package.

    Examples
    --------
    >>> import isoplane.models
    >>> handed_on("isoplane.models", isoplane.models.__file__)("Layout").__module__
    'isoplane.models.site.layout'
    """
    places: dict[str, tuple[str, str]] = {}
    for block in ast.parse(Path(source).read_text(encoding="utf-8")).body:
        for node in block.body if isinstance(block, ast.If) else ():
            if isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                places |= {alias.asname or alias.name: (module, alias.name) for alias in node.names}

    def get(name: str) -> Any:
        old = f"{package}.{name}"
        if old in RENAMED:
            new, successor = RENAMED[old]
            warnings.warn(f"{old} is {new} now", DeprecationWarning, stacklevel=2)
            return attrgetter(successor)(sys.modules[package])
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = places[name]
        value = getattr(import_module(module, package), original)
        # Found in the package from now on, without this function.
        setattr(sys.modules[package], name, value)
        return value

    return get


class _MovedModules(MetaPathFinder, Loader):
    """Finds modules of `MOVED` at their old names, with a warning that names the new one."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load a module that has moved; None for all others."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Give a module the names that its successor has."""
        new = MOVED[module.__name__]
        warnings.warn(f"{module.__name__} is {new} now", DeprecationWarning, stacklevel=2)
        # All but __name__, __spec__ and the like, which belong to the module itself.
        vars(module).update({name: value for name, value in vars(import_module(new)).items() if name[:2] != "__"})


if not any(isinstance(finder, _MovedModules) for finder in sys.meta_path):
    sys.meta_path.append(_MovedModules())
