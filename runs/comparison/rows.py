"""Rows of a comparison: the designs that were chosen, with all their numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from isoplane.fleet import Fleet

from .arrangements import Arrangement, arrangements
from .column import Value
from .groups import groups
from .request import Request
from .sizing import Sized, Unsized
from .subject import Subject, size


@dataclass(frozen=True)
class Row:
    """A design, and its numbers.

    Parameters
    ----------
    arrangement
        The family, and the number of planes.
    least
        The throughput for which it was sized, as a fraction of the rate of a node.
    design
        The design; None with a reason if no member reaches the throughput within the limits.
    values
        The values of all columns by key; empty without a design.
    reason
        Why there is no design, in words.
    """

    arrangement: Arrangement
    least: Fraction
    design: Sized | None
    values: Mapping[str, Value]
    reason: str = ""


@dataclass(frozen=True)
class SizingJob:
    """An arrangement to size for a throughput."""

    arrangement: Arrangement
    request: Request
    least: Fraction


def sized(job: SizingJob) -> Sized | Unsized:
    """Return the design of a job."""
    return size(job.arrangement, job.request, job.least)


def measure(subject: Subject) -> dict[str, Value]:
    """Return the values of all columns of a design."""
    return {key: value for group in groups() for key, value in group.values(subject).items()}


@dataclass(frozen=True)
class Step:
    """Progress of a comparison: the numbers of calls done and known so far, and the rows once all are done."""

    done: int
    total: int
    rows: tuple[Row, ...] | None = None


def compare(request: Request, fleet: Fleet) -> Iterator[Step]:
    """Size and measure all arrangements; yield the progress, and with the last step the rows.

    Rows are sorted by throughput, descending, then by price. Designs that several throughputs share are measured once.
    """
    jobs = [
        SizingJob(arrangement, request, least) for least in request.throughputs for arrangement in arrangements(request)
    ]
    designs: dict[int, Sized | Unsized] = {}
    for result in fleet.map(sized, jobs):
        if result is not None:
            designs[result[0]] = result[1]
        yield Step(len(designs), 2 * len(jobs))
    subjects: dict[tuple[Arrangement, Sized], Subject] = {}  # at the highest throughput of each
    for job, (_, found) in zip(jobs, sorted(designs.items()), strict=True):
        if isinstance(found, Sized):
            key = job.arrangement, found
            subjects.setdefault(key, Subject(job.arrangement, job.least, found, request))
    measured: dict[int, dict[str, Value]] = {}
    total = len(jobs) + len(subjects)
    for outcome in fleet.map(measure, subjects.values()):
        if outcome is not None:
            measured[outcome[0]] = outcome[1]
        yield Step(len(jobs) + len(measured), total)
    values = {key: measured[index] for index, key in enumerate(subjects)}
    rows = [_row(job, designs[index], values) for index, job in enumerate(jobs)]
    yield Step(total, total, tuple(sorted(rows, key=_order)))


def _row(
    job: SizingJob, found: Sized | Unsized, values: Mapping[tuple[Arrangement, Sized], Mapping[str, Value]]
) -> Row:
    if isinstance(found, Unsized):
        return Row(job.arrangement, job.least, None, {}, found.reason)
    return Row(job.arrangement, job.least, found, values[job.arrangement, found])


def _order(row: Row) -> tuple[Fraction, bool, Fraction]:
    design = row.design
    price = Fraction(0) if design is None else Fraction(design.price_cents, design.family.nodes)
    return -row.least, design is None, price
