"""Verification: every metric of a record recomputed by the reference, and bounds by their formulas."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from isoplane.models import ConnectionSet, Design, InputError, Network
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload, parts_of
from isoplane.objectives import (
    METRIC_TABLE,
    Evaluator,
    Lexicographic,
    Scope,
    displayed_metric,
    evaluator_of,
    score_names,
)
from isoplane.objectives.reference import reference_exact, reference_metrics, requested_metrics
from isoplane.objectives.reference.fluid_times import plane_times
from isoplane.objectives.scoring.expressions import SUBJECT_TO, is_in_words
from isoplane.objectives.scoring.worded_objective import recorded_objective

from ..inputs.named_families import family_of
from .bound_origin import origin_text
from .bound_verification import Bound, bound_triples, enumeration_triples, space_bounds
from .content import (
    Record,
    class_id_of,
    design_of_record,
    has_generators,
    has_losses,
    id_of,
    network_of,
    with_ascending_generators,
)
from .hybrid_verification import (
    formula_bounds,
    hybrid_metric_triples,
    hybrid_numbers,
    hybrid_score_triples,
    low_score_triples,
    own_triples,
    source_triples,
    unknown_triples,
)
from .judge import simulated_ns, time_evaluator_in
from .origin import label_triples
from .proof_scope import FUNCTION
from .schemas import check_schema
from .workloads import require_fit, workload_from

# Differences, bounds by formula, and the error of a function that is missing or fails, so that no score is known.
Verified = tuple[list["Difference"], Bound, InputError | None]

HEAVIEST = "heaviest_load_bytes"  # the heaviest of all parts of a mix; times are sums


def network_time_metrics(network: Network, workload: Workload) -> dict[str, int]:
    """Return the times of a workload as metrics of a design, computed exactly and rounded to the nearest ns."""
    found = [(weight, _times_of(network, part)) for weight, part in parts_of(workload)]
    sums = {name: sum(weight * times[name] for weight, times in found) for name in found[0][1]}
    return {**sums, HEAVIEST: max(times[HEAVIEST] for _, times in found)}


def _times_of(network: Network, workload: Workload) -> dict[str, int]:
    times = plane_times(network, workload.message_list(), by_switch(network.nodes))
    return {name: int(value) for name, value in times.items() if name != "hops"}


@dataclass(frozen=True)
class Difference:
    """A field of a record that differs from the reference.

    Attributes
    ----------
    field
        Its path, such as ``metrics.max_load`` or ``score[0]``.
    recorded, recomputed
        The recorded and the expected value; text if it is not a single value.

    Examples
    --------
    >>> print(Difference("metrics.max_load", 99, 100))
    metrics.max_load: recorded 99, recomputed 100
    """

    field: str
    recorded: object
    recomputed: object

    def __str__(self) -> str:
        return f"{self.field}: recorded {json.dumps(self.recorded)}, recomputed {json.dumps(self.recomputed)}"


def verify(record: Record) -> list[Difference]:
    """Recompute a record and return the differences, none if it is correct.

    This checks both hashes, the order of the generators, plane 0, every metric bit for bit, every component of the
    score, that no bound exceeds its score, and that an optimal score reaches its bounds. No bound may exceed the one by
    formula either, unless the record states that a complete search or an integer program proved it: see
    `verified_bounds`. The content itself (generators, layout, prices, delays) is guarded by ``id``. Times of hybrid
    networks may differ by 1 ns, being sums of doubles. A stored enumeration that a record names must exist with the
    same bytes, for this dimension and family. If no network can be built from the record, the difference ``network``
    gives the reason and nothing else is recomputed.

    Raises
    ------
    InputError
        If the family is unknown here, so that nothing can be compared, or nothing differs but a function in the
        objective is missing, cannot be imported or fails, so that the score is not recomputed.

    References
    ----------
    `isoplane.objectives.reference`, which shares no code with the kernels that found the design.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> from isoplane.runs.records import provenance, record_of
    >>> design = Design(dual_cube(3, (3, 5, 7)))
    >>> found, origin = Lexicographic("aspl", (("sum_of_distances",),), CUBES)(design), provenance(1, "exact", {})
    >>> record = record_of(design, found, objective="aspl", status="feasible", provenance=origin)
    >>> verify(record)
    []
    >>> [str(difference) for difference in verify(record | {"score": [7]})]
    ['score[0]: recorded 7, recomputed 8']
    """
    return verified_bounds(record)[0]


def verified_bounds(record: Record) -> tuple[list[Difference], str]:
    """Return what `verify` returns, and in words which parts of the bound are recomputed, and which are not.

    Without differences, a part that is not recomputed is what the search of the record, or a solver, has proven; with
    differences, or without a bound, there are no words.
    """
    check_schema(record)
    family_of(record["network"]["family"])
    found = list(_differing([("id", record["id"], id_of(record)), *label_triples(record)]))
    others, known, absent = _verify_switches(record) if record["circuits"] is None else _verify_circuits(record)
    found += others
    if absent is not None:
        if not found:  # the score was not recomputed
            raise absent
        found.append(_of_score_names(record, absent))
    return found, "" if found else origin_text(record, known)


def verify_metrics(metrics: Mapping[str, Any], design: Design, workload: Workload | None = None) -> list[Difference]:
    """Recompute the metrics of a design and return the differences, as `verify` does for records.

    Parameters
    ----------
    metrics
        The metrics to check.
    design, workload
        The design and workload; a workload is required with circuits and optional otherwise.

    Raises
    ------
    InputError
        If the reference rejects the network, or the workload does not have one process per node.
    """
    if workload is not None and evaluator_of(design).needs_workload:
        return list(_differing(hybrid_metric_triples(metrics, design, workload)))
    known = dict(reference_metrics(design.network))
    if workload is not None:
        known |= network_time_metrics(design.network, workload)
    return list(_differing(_metric_triples(metrics, known, evaluator_of(design).scope)))


def _verify_circuits(record: Record) -> Verified:
    try:
        design = design_of_record(record)
        triples = list(hybrid_numbers(record, design))
    except InputError as error:
        return [Difference("network", record["network"], str(error))], (), None
    known: Bound = record["bound"]  # without the objective, no formula is known that a bound could exceed
    absent: InputError | None = None
    lows: list[tuple[str, object, object]] = []
    try:
        triples += hybrid_score_triples(record, design)
        known = formula_bounds(record, design)
        lows += low_score_triples(record, known)
    except InputError as error:
        if not error.is_of_function:
            return [*_differing(triples), _of_score_names(record, error)], (), None
        absent = error
    # A bound for fewer circuits than the design has is none of it, whatever its value.
    bounds = list(source_triples(record)) or [*lows, *bound_triples(record, record["score"], known)]
    return list(_differing([*triples, *bounds])), known, absent


def _of_score_names(record: Record, error: InputError) -> Difference:
    return Difference("score_names", record["score_names"], str(error))


def _verify_switches(record: Record) -> Verified:
    found = list(_differing(_generators(record)))
    try:
        # Sorted, because a wrong order is a difference of its own and need not hide all others.
        network = network_of(with_ascending_generators(record))
        exact = reference_exact(network, after_losses=has_losses(record), of_racks=has_losses(record, "racks"))
        metrics = reference_metrics(network) | requested_metrics(exact, network)
        if "workload" in record:
            times = _reference_times(network, record)
            exact, metrics = {**exact, **_scores_of_times(times)}, {**metrics, **times}
    except InputError as error:
        return [*found, Difference("network", record["network"], str(error))], (), None
    absent: InputError | None = None
    try:
        score: list[int | None] = _score(record, exact, network)
    except InputError as error:
        if not error.is_of_function:
            return [*found, _of_score_names(record, error)], (), None
        score, absent = list(record["score"]), error
    found += _differing([("class_id", record["class_id"], class_id_of(network))])
    found += _differing(enumeration_triples(record))
    found += _differing(_metric_triples(record["metrics"], metrics, evaluator_of(Design(network)).scope))
    found += _differing(own_triples(record, _evaluator(record, network), network, exact, _workload(record)))
    found += _differing((f"score[{i}]", record["score"][i], value) for i, value in enumerate(score))
    # Without the objective, no formula is known that a bound could exceed.
    known: Bound = record["bound"]
    if absent is None:
        known, _ = space_bounds(record, network, lambda: _objective(record, network), _workload(record))
    found += _differing(bound_triples(record, score, known))
    return found, known, absent


def _reference_times(network: Network, record: Record) -> dict[str, int]:
    """Return the times of the workload of a record; a simulation is repeated."""
    workload = workload_from(record["workload"])
    require_fit(Design(network), workload)
    times = network_time_metrics(network, workload)
    return times | (
        {"simulated_ns": simulated_ns(network, workload, record["judge"]["shorten"])} if "judge" in record else {}
    )


def _scores_of_times(times: Mapping[str, int]) -> dict[str, int | None]:
    """Return the components of scores that are times of a workload."""
    return {name: times.get(displayed_metric("times", name)[0].name) for name in score_names("times")}


def _metric_triples(
    recorded: Mapping[str, Any], known: Mapping[str, int | float | None], scope: Scope
) -> Iterator[tuple[str, object, object]]:
    """Yield recorded and expected metrics, except metrics that records may lack."""
    yield from unknown_triples(recorded, known)
    for name, value in known.items():
        formula = METRIC_TABLE[name].formula(scope)
        if name in recorded or not (METRIC_TABLE[name].optional or (formula is not None and formula.on_request)):
            yield f"metrics.{name}", recorded.get(name), value


def _differing(triples: Iterable[tuple[str, object, object]]) -> Iterator[Difference]:
    """Yield differing values; floats must agree bit for bit, because both programs round one exact quotient once."""
    return (Difference(*triple) for triple in triples if triple[1] != triple[2])


def _generators(record: Record) -> Iterator[tuple[str, object, object]]:
    """Yield recorded and expected generators of each plane, if planes have generators."""
    planes = record["network"].get("planes")
    for index, plane in enumerate(planes if has_generators(record) else ()):
        unit = ConnectionSet.unit(record["network"]["n"]).generators
        expected = list(unit) if index == 0 else sorted(plane["generators"])
        yield f"network.planes[{index}].generators", plane["generators"], expected


def _score(record: Record, exact: Mapping[str, int | None], network: Network) -> list[int | None]:
    """Return the score of a record from exact integers; None for components that need a missing layout."""
    name, names = record["objective"], record["score_names"]
    if not is_in_words(name) and SUBJECT_TO not in name and not any(map(FUNCTION.search, names)):
        return [_component(part, exact) for part in names]
    objective = _objective(record, network)
    known = {metric: value for metric in objective.metrics if (value := exact.get(metric)) is not None}
    return list(objective.score(known)) if len(known) == len(objective.metrics) else [None] * len(names)


def _objective(record: Record, network: Network) -> Lexicographic:
    evaluator, workload = _evaluator(record, network), _workload(record)
    return recorded_objective(record["objective"], record["score_names"], evaluator, network, workload)


def _workload(record: Record) -> Workload | None:
    return workload_from(record["workload"]) if "workload" in record else None


def _evaluator(record: Record, network: Network) -> Evaluator:
    return time_evaluator_in(record) if "workload" in record else evaluator_of(Design(network))


def _component(name: str, exact: Mapping[str, int | None]) -> int | None:
    """Return a component of a score, a product of exact metrics; None if it needs a missing layout."""
    known = [value for factor in name.split("*") if (value := exact.get(factor)) is not None]
    return prod(known) if len(known) == name.count("*") + 1 else None
