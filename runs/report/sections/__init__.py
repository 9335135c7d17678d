"""Sections of a page, one per file of this folder, and those of installed packages.

A section is a module with `ORDER`, its position on the page, and ``block(data)``, which returns its block, or None if
the network or the run has no data for it. ``KINDS`` of a module limits it to kinds of designs, as `kinds` of an
exporter does.
"""

from collections.abc import Callable, Container
from functools import cache
from types import ModuleType

from isoplane.models.installed.entry_points import module_with, modules_of
from isoplane.models.steps import step
from isoplane.runs.drawing.block import Block

from ..report_data import ReportData

ENTRY_POINTS = "isoplane.sections"  # entry points of packages: NAME = "module"


def blocks(data: ReportData, chosen: Container[str] | None = None) -> list[Block]:
    """Return the sections for which a design has data, all or those of some names, drawn in matplotlib's style."""
    found = []
    for section in _sections():
        if chosen is not None and section.__name__.rpartition(".")[2] not in chosen:
            continue
        if data.network.family.kind not in getattr(section, "KINDS", (data.network.family.kind,)):
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
