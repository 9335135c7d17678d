"""Points of the figure on disk: a completed simulation is not repeated."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from isoplane.models import Design, Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.runs.folder.journal import Journal
from isoplane.runs.records import design_content
from isoplane.simulator import Estimate, Precision


@dataclass(frozen=True)
class Point:
    """Result of one simulation.

    Attributes
    ----------
    network, n
        The paper's name, and the dimension.
    offered
        Offered load per node, in units of one link's rate.
    accepted, latency_ns
        Estimates with the half-widths of their 95 % confidence intervals; the latency is that in the network.
    saturated
        Whether the network accepts less than the offered load.
    """

    network: str
    n: int
    offered: Fraction
    accepted: Estimate
    latency_ns: Estimate
    saturated: bool


@dataclass(frozen=True)
class Run:
    """All parameters of one simulation."""

    name: str
    network: Network
    offered: Fraction
    precision: Precision
    seed: int


class Points:
    """A file with one line per completed simulation, appended as simulations end.

    A line is reused for the same network, load, precision, seed and revision of the program.

    Parameters
    ----------
    path
        The file, whose folder is created with the first line; None to store nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._journal = Journal(path)

    def find(self, run: Run) -> Point | None:
        """Return the stored result of a simulation, if any."""
        stored = self._journal.find(_parameters(run))
        if stored is None:
            return None
        accepted, latency_ns = Estimate(**stored["accepted"]), Estimate(**stored["latency_ns"])
        return Point(run.name, cubes_of(run.network).n, run.offered, accepted, latency_ns, stored["saturated"])

    def add(self, run: Run, point: Point) -> None:
        """Append the result of a simulation."""
        self._journal.add(_parameters(run), {**asdict(point), "offered": str(point.offered)})


def _parameters(run: Run) -> list[Any]:
    """Return all parameters of a simulation as JSON data."""
    limits = {name: str(value) for name, value in asdict(run.precision).items()}
    return [run.name, design_content(Design(run.network)), str(run.offered), limits, run.seed]
