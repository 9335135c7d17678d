"""Records of the designs of a comparison, with which every verb takes them with the racks and prices of their row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from isoplane.models import Design
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.records import Record, copy_tables, record_of_given, write_record

from .compared_design import ComparedDesign
from .request import Request
from .rows import Calls, Key, Row
from .tables import request_json

OF_SITE = ("layout", "prices", "switch", "existing")  # keys of a request that say nothing of how a design is chosen


def record_of_compared(job: tuple[ComparedDesign, str]) -> Record:
    """Return the record of a design with its racks in the comparison; the second part of a job is only its name."""
    compared, _ = job
    request = compared.request
    config = {key: value for key, value in request_json(request).items() if key not in OF_SITE}
    return record_of_given(Design(compared.network), config, by="compare", seed=request.seed)


def records_of(
    request: Request, rows: Sequence[Row], run: Callable[..., Calls]
) -> Iterator[tuple[str, Mapping[Key, Record] | None]]:
    """Make a record of each design; yield the progress in words, and last the records.

    Parameters
    ----------
    request, rows
        What is asked for, and the designs.
    run
        Calls a function on many arguments, such as `Fleet.map`.
    """
    jobs: dict[Key, tuple[ComparedDesign, str]] = {}
    for row in rows:
        if row.design is not None:
            compared = ComparedDesign(row.arrangement, row.least, row.design, request)
            jobs.setdefault((row.arrangement, row.design), (compared, "record"))
    keys, found = list(jobs), dict[Key, Record]()
    for result in run(record_of_compared, list(jobs.values())):
        if result is not None:
            found[keys[result[0]]] = result[1]
        yield f"records of {len(found)} of {len(jobs)} designs", None
    yield "done", found


def with_records(folder: Path, rows: Sequence[Row], records: Mapping[Key, Record]) -> tuple[Row, ...]:
    """Write the records into a folder, and return the rows with their files, relative to it."""
    files: dict[Key, str] = {}
    for key, record in records.items():
        copy_tables(record, folder / RECORDS)  # first: a record must never name files that do not exist
        files[key] = f"{RECORDS}/{write_record(folder / RECORDS, record).name}"
    return tuple(replace(row, record=files[row.arrangement, row.design]) if row.design else row for row in rows)
