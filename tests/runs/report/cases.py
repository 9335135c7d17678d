"""Subjects to test with: records of random networks as a report sees them."""

from hypothesis import strategies as st

from isoplane.models import dual_cube
from isoplane.objectives import CubeObjective
from isoplane.runs.report.report_data import ReportData
from tests.runs.records.samples import networks, sample

BOTH = CubeObjective("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)))
BEST_OF_8 = (7, 11, 28, 44, 112, 176, 193, 194)  # the rotations of 7, but for coordinates: sum 800, load 100


def data(n: int = 3, generators: tuple[int, ...] = (3, 5, 7), folded: bool = False, **site) -> ReportData:
    return ReportData(record(n, generators, folded, **site))


def record(n: int = 3, generators: tuple[int, ...] = (3, 5, 7), folded: bool = False, **site) -> dict:
    objective = BOTH.without_layout() if site.get("layout", True) is None else BOTH
    return sample(dual_cube(n, generators, folded, **site), objective)


def subjects(n: int) -> st.SearchStrategy[ReportData]:
    """Both families up to n, with the paper's site, others, or no layout."""
    objective = BOTH.without_layout()
    return networks(n).map(lambda network: ReportData(sample(network, objective)))
