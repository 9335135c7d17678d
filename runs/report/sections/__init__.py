"""Sections of a page, one per file of this folder, and those of installed packages.

A section is a module with `ORDER`, its position on the page, and ``block(data)``, which returns its block, or None if
the network or the run has no data for it. A section for only some kinds of designs lists these kinds in ``DESIGNS``.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType

from isoplane.models.steps import step
from isoplane.runs.drawing.block import Block
from isoplane.runs.inputs.installed_modules import module_with, modules_of

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
    parts = {"ORDER": int, "block": Callable}
    modules = modules_of(__name__, ENTRY_POINTS)
    found = [(name, module_with(f"section={name}", path, parts)) for name, path in modules.items()]
    return tuple(section for _, section in sorted(found, key=lambda pair: (pair[1].ORDER, pair[0])))
