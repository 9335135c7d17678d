"""Points of the figure on disk: a simulation that has ended is not run again."""

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from isoplane.models import Network
from isoplane.runs.records import content_of
from isoplane.simulator import Estimate, Precision


@dataclass(frozen=True)
class Point:
    """What one simulation saw.

    Attributes
    ----------
    network, n
        The paper's name, and the dimension.
    offered
        In units of the rate of one link for each node.
    accepted, latency_ns
        With the halves of their 95 % confidence intervals; the latency is that in the network.
    saturated
        Whether the network carries less than is offered.
    """

    network: str
    n: int
    offered: Fraction
    accepted: Estimate
    latency_ns: Estimate
    saturated: bool


@dataclass(frozen=True)
class Run:
    """One simulation, as what it depends on."""

    name: str
    network: Network
    offered: Fraction
    precision: Precision
    seed: int

    @property
    def id(self) -> str:
        """Return a hash of all that it depends on."""
        limits = {name: str(value) for name, value in vars(self.precision).items()}
        data = [self.name, content_of(self.network), str(self.offered), limits, self.seed]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


class Points:
    """A file with a line for each simulation that has ended, written as they end.

    Parameters
    ----------
    path
        The file; its folder is made with the first line. None to keep nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lines: dict[str, str] = {}
        if path is not None and path.exists():
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]  # a line that was not written to its end did not happen
            self._lines = {json.loads(line)["id"]: line for line in whole.splitlines()}
            if whole != text:
                path.write_text(whole, encoding="utf-8")

    def find(self, run: Run) -> Point | None:
        """Return what a simulation saw, if it has ended before."""
        if run.id not in self._lines:
            return None
        data = json.loads(self._lines[run.id])
        accepted, latency_ns = Estimate(*data["accepted"]), Estimate(*data["latency_ns"])
        return Point(run.name, run.network.n, run.offered, accepted, latency_ns, data["saturated"])

    def add(self, run: Run, point: Point) -> None:
        """Write what a simulation saw."""
        if self._path is None:
            return
        estimates = {
            name: [estimate.mean, estimate.half_width]
            for name, estimate in (("accepted", point.accepted), ("latency_ns", point.latency_ns))
        }
        line = json.dumps(
            {"id": run.id, "network": point.network, "n": point.n, "offered": str(point.offered)}
            | estimates
            | {"saturated": point.saturated}
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
