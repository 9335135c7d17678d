"""The folder of a simulation: consistent at any time, even if the program is killed."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from omegaconf import OmegaConf

from isoplane.models import InputError
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.drawing.panels import figure_style, save
from isoplane.runs.records import text_of
from isoplane.simulator import Report, Saturation, Scenario, Traffic

from . import tables
from .comparison import beyond_bound
from .link_unit import stated_link

DESIGN_FILE = "design.json"  # the simulated record, or the description of a given design
FILES = ("config.yaml", "curve.csv", "summary.json", "report.json")


class SimulationFolder:
    """Writes the results of a simulation; nothing before the first run has ended.

    Parameters
    ----------
    path, config
        The folder, and the composed config.
    scenario
        The simulated scenario.
    described
        The simulated record, or the description of a network by `described_design`; None for a program whose clock
        period is no decimal number.
    verified_by
        Arguments of `isoplane verify` that check a network without a record.
    """

    def __init__(
        self,
        path: Path,
        config: Mapping[str, Any],
        scenario: Scenario,
        described: Mapping[str, Any] | None = None,
        verified_by: str | None = None,
    ) -> None:
        self.path, self._config, self._scenario = path, config, scenario
        self._described, self._verified_by = described, verified_by
        self.reports: list[Report] = []
        self.workload: Mapping[str, Any] | None = None  # results of the workload that is sent, if any
        if any((path / name).exists() for name in FILES):
            raise InputError(f"hydra.run.dir={path}: holds a run already; expected a new or empty folder")

    def add(self, report: Report) -> None:
        """Add a completed run, and write it to the curve."""
        self.reports = sorted([*self.reports, report], key=lambda report: report.offered_load)
        if len(self.reports) == 1:
            self.path.mkdir(parents=True, exist_ok=True)
            self._write("config.yaml", OmegaConf.to_yaml(OmegaConf.create(dict(self._config))))
        self._write("curve.csv", tables.curve_csv(self.reports))

    def conclude(self, swept: Sequence[Report], found: Saturation | None, *, interrupted: bool) -> None:
        """Write all other files.

        Parameters
        ----------
        swept
            Runs whose details are also written.
        found
            The saturation, if it was found.
        interrupted
            Whether runs are missing.
        """
        network = self._scenario.network
        texts: dict[str, Callable[[], str]] = {
            "report.json": lambda: text_of({"runs": [tables.report_json(report) for report in self.reports]}),
            "distances.csv": lambda: tables.distances_csv(swept),
            "pairs.csv": lambda: tables.pairs_csv(network, swept),
            "series.csv": lambda: tables.series_csv(swept),
            "nodes.csv": lambda: tables.nodes_csv(network, swept),
            "switches.csv": lambda: tables.switches_csv(network, swept),
            "links.csv": lambda: tables.links_csv(network, swept),
        }
        # Made one by one, so that the tables of large networks are not in memory together.
        for name, text in texts.items():
            self._write(name, text())
        summary = summary_json(self._scenario, self.reports, found, self.workload, interrupted=interrupted)
        verified_by = {} if self._verified_by is None else {"verified_by": self._verified_by}
        self._write("summary.json", text_of({**summary, **verified_by}))
        if self._described is not None:
            self._write(DESIGN_FILE, text_of(dict(self._described)))

    def draw(self, name: str, figure: Figure) -> None:
        """Write a figure as SVG and PNG: the same bytes for the same numbers."""
        with figure_style():
            save(figure, self.path / name)

    def write_named(self, name: str, text: str) -> None:
        """Write a file named by a program; characters other than letters, digits, `.`, `_`, `-` become underscores."""
        name = re.sub(r"[^A-Za-z0-9._-]", "_", Path(name).name)
        self._write(f"program-{name}" if (self.path / name).exists() else name, text)

    def _write(self, name: str, text: str) -> None:
        write_atomically(self.path / name, text)


def summary_json(
    scenario: Scenario,
    reports: Sequence[Report],
    found: Saturation | None,
    workload: Mapping[str, Any] | None = None,
    *,
    interrupted: bool = False,
) -> dict[str, Any]:
    """Return the summary of a simulation.

    Parameters
    ----------
    scenario, reports
        What was simulated, and the completed runs.
    found
        The saturation, if it was found.
    workload
        Results of the workload that was sent, if any.
    interrupted
        Whether runs are missing.
    """
    network, traffic = scenario.network, scenario.traffic
    limit = {} if found is None else {**tables.saturation_json(found), "warnings": beyond_bound(scenario, found)}
    switches = network.plane_switches
    return {
        "network": network.title,
        "planes": len(network.planes),
        "switches": switches[0] if len(set(switches)) == 1 else list(switches),
        "nodes": network.nodes,
        "seed": scenario.seed,
        "traffic": traffic.pattern if isinstance(traffic, Traffic) else "listed",
        **stated_link(network, scenario.hardware),
        **({} if workload is None else {"workload": workload}),
        "runs": len(reports),
        "interrupted": interrupted,
        "saturation": limit or None,
        "deadlocks": [report.deadlock for report in reports if report.deadlock is not None],
    }
