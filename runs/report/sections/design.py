"""The design: facts about the network and the search, and generators, circuits or parameters to copy."""

from collections.abc import Mapping, Sequence
from typing import Any

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.objective_text import score_text
from isoplane.runs.drawing.quantities import format_number
from isoplane.runs.records import (
    better_outside,
    bound_words,
    component_words,
    gaps_text,
    proof_status,
    proven_variables,
    scope_of,
    stop_text,
)

from ..kinds import words_of
from ..report_data import ReportData

ORDER = 10


def block(data: ReportData) -> Block:
    """Return facts, and the parameters that define the design."""
    return Block("design", "Design", [Part.facts(facts(data))], beside=words_of(data.network).definition(data))


def facts(data: ReportData) -> list[tuple[str, str]]:
    """Return facts about the design and the run that found it, if any."""
    return [*words_of(data.network).facts(data), *_search_facts(data)]


def _search_facts(data: ReportData) -> list[tuple[str, str]]:
    """Return facts about the score of a record and, if a search found it, about the search, as far as known."""
    record, run = data.record, data.summary or {}
    if "score" not in record:
        return []
    provenance, names = record["provenance"], record["score_names"]
    found = [("Objective", str(record["objective"]))]
    is_bounded = any(low is not None for low in record["bound"])
    for title in ("score", "bound") if is_bounded else ("score",):
        in_units = data.objective and score_text(data.objective, record[title], data.network)
        found.append((title.capitalize(), in_units or _plain_text(names, record[title])))
    source = record.get("bound_source")
    if is_bounded and (gaps := gaps_text(names, record["score"], record["bound"])):
        found.append(("Gap: (score − bound) / score", gaps))
    if is_bounded or run or "front" in record:
        found.append(("Status", status_text(record, scope_of(data.network, source))))
    if is_bounded:
        found += [("Bound by", f"{by}, see docs/bounds.md")] if (by := _bound_by(data)) else []
        for variable in proven_variables(data.network, source):
            found += [("Not covered by bounds", variable.outside)] if variable.outside else []
        found += [("Beyond the bounds", known)] if (known := better_outside(data.design.design)) else []
    if provenance["strategy"] is None:
        return found
    return [
        *found,
        *([("Stopped by", stop_text(run))] if run.get("stopped_by") else []),
        ("Strategy", str(provenance["strategy"])),
        ("Seed", str(provenance["seed"])),
        *([("Evaluations", format_number(run["evaluations"], 0))] if run.get("evaluations") is not None else []),
        *([("Time", f"{format_number(run['seconds'], 2)} s")] if run.get("seconds") is not None else []),
    ]


def _bound_by(data: ReportData) -> str:
    """Return what proves the bound, as the search has written it; empty if that is not known."""
    stated: str | None = (data.summary or {}).get("bound_by")
    if stated is not None or data.objective is None:
        return stated or ""
    objective = data.objective
    return bound_words(dict(data.record), data.design.design, lambda: objective, data.workload)


def _plain_text(names: Sequence[str], values: Sequence[int | None]) -> str:
    """Return the integers of a score or bound whose objective is not known here."""
    pairs = zip(map(component_words, names), values, strict=True)
    return ", then ".join(f"{name} {'unknown' if value is None else format_number(value, 0)}" for name, value in pairs)


def status_text(record: Mapping[str, Any], scope: str) -> str:
    """Return the proof status of a record: of each component of its score, and of its front; and over what.

    Examples
    --------
    >>> scope, names = "all linear relabellings of plane 1", ["sum_of_distances", "cost"]
    >>> status_text({"score_names": names, "score": [800, 9], "bound": [800, 7]}, scope)
    'ASPL proven optimal, cost within 22.23 %, over all linear relabellings of plane 1'
    >>> on_front = {"score_names": names[:1], "score": [12], "bound": [9], "front": "complete"}
    >>> status_text(on_front, scope).split(";")[0]
    'on a complete front: proven over all linear relabellings of plane 1 that no design beats it'
    """
    known = proof_status(record["score_names"], record["score"], record["bound"], scope)
    if record.get("front") == "complete":
        return f"on a complete front: proven over {scope} that no design beats it; {known}"
    return known
