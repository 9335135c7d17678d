"""Words of pages, a file for each kind of design, found by the `kind` of its family."""

from importlib import import_module
from typing import Protocol, cast

from isoplane.models import Network
from isoplane.runs.drawing.block import Part

from ..report_data import ReportData


class Words(Protocol):
    """Interface of the module of a kind."""

    HASHES_SAME: str  # where a network has the same id

    def title(self, data: ReportData) -> str:
        """Return the title of the page."""

    def subject(self, data: ReportData) -> str:
        """Return the subject of the sentence at the top."""

    def results(self, data: ReportData) -> list[str]:
        """Return the results in that sentence, compared with the baseline if there is one."""

    def facts(self, data: ReportData) -> list[tuple[str, str]]:
        """Return facts about the design."""

    def definition(self, data: ReportData) -> list[Part]:
        """Return what defines the design, to copy."""

    def method(self, data: ReportData) -> str:
        """Return the method by which the reference recomputes the numbers of a design."""

    def formulas(self, data: ReportData) -> list[tuple[str, ...]]:
        """Return the formulas of the numbers on a page: quantity, formula and, if a paper has it, its section."""

    def sources(self, data: ReportData) -> str:
        """Return the sources listed below the formulas."""


def words_of(network: Network) -> Words:
    """Return the words of the kind of a network."""
    return cast(Words, import_module(f"{__name__}.{network.family.kind}"))
