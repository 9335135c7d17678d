"""Sections of a page, one per file of this folder, and those of installed packages.

A section is a module with `ORDER`, its position on the page, and ``block(data)``, which returns its block, or None if
the network or the run has no data for it. A section for only some kinds of designs lists these kinds in ``DESIGNS``.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import ModuleType

from isoplane.models import InputError
from isoplane.models.steps import step
from isoplane.runs.drawing.block import Block

from ..report_data import ReportData

ENTRY_POINTS = "isoplane.sections"  # entry points of packages: NAME = "module"


def blocks(data: ReportData) -> list[Block]:
    """Return all sections for which a design has data, in order, drawn in the current style of matplotlib."""
    found = []
    for section in _sections():
        if data.network.family.kind not in getattr(section, "DESIGNS", (data.network.family.kind,)):
            continue
        with step(f"section {section.__name__.rpartition('.')[2]}"):
            found.append(section.block(data))
    return [block for block in found if block is not None]


@cache
def _sections() -> tuple[ModuleType, ...]:
    own = {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__)}
    installed = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    found = [(name, _load(name, path)) for name, path in {**installed, **own}.items()]
    return tuple(section for _, section in sorted(found, key=lambda pair: (pair[1].ORDER, pair[0])))


def _load(name: str, path: str) -> ModuleType:
    try:
        module = import_module(path)
    except ImportError as error:
        raise InputError(
            f"section={name}: {path} cannot be imported ({error}); expected an importable module"
        ) from error
    if not isinstance(getattr(module, "ORDER", None), int) or not callable(getattr(module, "block", None)):
        raise InputError(f"section={name}: {path} has no ORDER or no block; expected a module with both")
    return module
