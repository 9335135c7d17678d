"""Test cases: records of networks, and the data that reports are made from."""

from hypothesis import strategies as st

from isoplane.models import dual_cube
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.comparison import comparison
from isoplane.runs.report.sections.design import facts
from tests.runs.records.samples import networks, sample

OBJECTIVE = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
BEST_OF_8 = (7, 11, 28, 44, 112, 176, 193, 194)  # the rotations of 7, up to the order of coordinates: sum 800, load 100


def data(n: int = 3, generators: tuple[int, ...] = (3, 5, 7), folded: bool = False, **site) -> ReportData:
    return ReportData(record(n, generators, folded, **site))


def record(n: int = 3, generators: tuple[int, ...] = (3, 5, 7), folded: bool = False, **site) -> dict:
    objective = OBJECTIVE.without_layout() if site.get("layout", True) is None else OBJECTIVE
    return sample(dual_cube(n, generators, folded, **site), objective)


def cells(case: ReportData, title: str) -> list[tuple[str, str]]:
    """The values and changes in a row of the comparison."""
    row = next(row for row in comparison(case)[1] if row[0].startswith(title))
    return [(value, change) for value, change, _ in row[2]]


def facts_of(case: ReportData) -> dict[str, str]:
    """What the page states about the design and the search."""
    return dict(facts(case))


def report_data_up_to(n: int) -> st.SearchStrategy[ReportData]:
    """Dual cubes of both families up to dimension n, with the site of the paper, another site, or no layout."""
    objective = OBJECTIVE.without_layout()
    return networks(n).map(lambda network: ReportData(sample(network, objective)))
