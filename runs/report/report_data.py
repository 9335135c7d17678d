"""The data of a report: a design, its alternatives, and the run that found it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isclose
from typing import Any

from isoplane.models import Design, InputError, Network
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic, displayed_metric, objective_names
from isoplane.objectives.evaluators import metrics_after_losses
from isoplane.objectives.scoring.functions import names_function
from isoplane.objectives.scoring.own_metrics import own_integer
from isoplane.objectives.scoring.worded_objective import recorded_objective
from isoplane.runs.records import design_of_record, workload_from

from .designs import evaluated_design
from .designs.evaluated import EvaluatedDesign
from .history import HistoryRow

Simulation = Mapping[str, Any]  # results of a simulation: a file in the folder `simulation` of a run
LinkLoad = tuple[int, int, int, float]  # plane, switch and port of a link, and its load as a share of the time
ROUNDING_NS = 1  # compilers may order sums of doubles differently


@dataclass(frozen=True)
class ReportData:
    """A record and its run; derived numbers are computed on first use.

    Attributes
    ----------
    record
        The record, of which all numbers are recomputed, or the content of one with its hashes and provenance.
    history
        The improvements of the run; without them the page has no convergence section.
    others
        Further records of the run, for the Pareto front.
    summary
        The summary of the run, with evaluations and time; None for a given design.
    simulations
        Simulation results of the design, then of others.
    verified_by
        Arguments of `isoplane verify` that check it; by default the record, by its file name.
    built
        The design of the record if it exists already, with its planes; None to rebuild it.
    """

    record: Mapping[str, Any]
    history: Sequence[HistoryRow] = ()
    others: Sequence[Mapping[str, Any]] = ()
    summary: Mapping[str, Any] | None = None
    simulations: Sequence[Simulation] = ()
    verified_by: str | None = None
    built: Design | None = None

    @cached_property
    def workload(self) -> Workload | None:
        """The workload of the record, if any."""
        given = self.record.get("workload")
        return None if given is None else workload_from(given)

    @cached_property
    def design(self) -> EvaluatedDesign:
        """The design."""
        design = design_of_record(dict(self.record)) if self.built is None else self.built
        return evaluated_design("This design", design, self.workload, self.record.get("metrics", {}))

    @property
    def network(self) -> Network:
        """The network of the design."""
        return self.design.network

    @cached_property
    def _alternatives(self) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
        return self.design.alternatives()

    @property
    def compared(self) -> tuple[EvaluatedDesign, ...]:
        """The alternatives to the design, the simplest first."""
        return self._alternatives[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on alternatives left out."""
        return self._alternatives[1]

    @property
    def baseline(self) -> EvaluatedDesign | None:
        """The simplest design with the same parts, if it is a different one."""
        return self.compared[0] if self.compared else None

    @cached_property
    def objective(self) -> Lexicographic | None:
        """The objective; None if a search cannot have found the design."""
        record = self.record
        if "objective" not in record:
            return None
        evaluator = self.design.evaluator(record)
        if evaluator is None:
            return None
        return recorded_objective(record["objective"], record["score_names"], evaluator, self.network, self.workload)

    @cached_property
    def front_metrics(self) -> tuple[str, str] | None:
        """The two metrics of the front that a search of cubes was for; None for a single score."""
        objective = self.record.get("provenance", {}).get("config", {}).get("objective")
        searched = objective.get("metrics") if isinstance(objective, dict) else None
        names = objective_names("cubes")
        if not isinstance(searched, list) or len(searched) != 2 or not all(isinstance(name, str) for name in searched):
            return None
        if not all(name in names or own_integer(name) for name in searched):
            return None
        first, second = (displayed_metric("cubes", names[name])[0].name if name in names else name for name in searched)
        return first, second

    def disagreements(self) -> list[str]:
        """Return the names of all metrics whose recorded value differs from that computed here."""
        recorded = self.record.get("metrics", {})
        computed = {**self.design.metrics, **metrics_after_losses(self.design.design, recorded)}
        return [name for name, value in recorded.items() if not _agree(name, value, computed.get(name))]


def _agree(name: str, recorded: object, value: float | None) -> bool:
    if value is None or not isinstance(recorded, (int, float)):
        return recorded is value
    if name.endswith("_ns") and isinstance(value, int):
        return abs(recorded - value) <= ROUNDING_NS
    return isclose(recorded, value, rel_tol=1e-9)


def own_objective(record: Mapping[str, Any]) -> tuple[Lexicographic | None, list[str]]:
    """Return the objective of a record that functions of the user's own are part of, and why there is none, in lines.

    What such functions return are numbers of the design, too (`objective_values`). Others are not imported.
    """
    if not names_function(record):
        return None, []
    try:
        objective = ReportData(record).objective
    except InputError as error:  # such as a module that is missing here
        return None, [f"without the values of the objective: {error}"]
    return (objective if objective is not None and objective.functions else None), []
