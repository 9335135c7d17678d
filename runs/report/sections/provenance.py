"""Provenance of the design, its verification, and the formulas of its numbers."""

import json

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.records import file_name

from ..kinds import words_of
from ..report_data import ReportData

ORDER = 1000


def block(data: ReportData) -> Block:
    """Return the command, the hashes, the configuration and the formulas."""
    record = data.record
    verified_by = data.verified_by or f"record={file_name(dict(record))}"
    # Of a page made in Python, no file is known.
    place = ", in the folder of this page," if "record=" in verified_by and "record=FILE" not in verified_by else ""
    text = (
        f"This command{place} recomputes every number of the design with a second program, "
        f"{words_of(data.network).method(data)}, and prints each one that differs:"
    )
    config = json.dumps(record["provenance"]["config"], indent=2, ensure_ascii=False)
    note = words_of(data.network).sources(data)
    return Block(
        "provenance",
        "Provenance and verification",
        [
            Part.text(text),
            Part.copyable([f"isoplane verify {verified_by}"]),
            Part.facts(_facts(data)),
            Part.copyable([config], summary="Configuration"),
            Part.table(_formula_rows(data), "formulas", heading="Formulas"),
            *([Part.text(note, muted=True)] if note else []),
        ],
    )


def _formula_rows(data: ReportData) -> list[tuple[str, ...]]:
    """Return the header and one row per formula, with sources if there are any."""
    found = words_of(data.network).formulas(data)
    width = max(len(formula) for formula in found)
    header = ("Quantity", "Computed as", "Source")[:width]
    return [header, *((*formula, "")[:width] for formula in found)]


def _facts(data: ReportData) -> list[tuple[str, ...]]:
    record, origin = data.record, data.record["provenance"]
    where = words_of(data.network).HASHES_SAME
    found = [("Id", f"the same for records of this network {where}", record["id"])]
    if record["class_id"]:
        text = "the same for all connection sets that differ only by symmetry"
        found.append(("Class", text, record["class_id"]))
    changed = ", with uncommitted changes" if origin["uncommitted_changes"] else ""
    versions = ", ".join(f"{name} {version}" for name, version in origin["versions"].items())
    return [*found, ("Revision", f"{origin['revision'] or 'unknown'}{changed}"), ("Versions", versions)]
