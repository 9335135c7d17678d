"""Rows of a comparison: the designs that were chosen, with all their numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from isoplane.fleet import Fleet

from .arrangements import Arrangement, arrangements
from .column import Value
from .groups import groups
from .request import Request
from .sizing import Sized, Unsized, cheapest


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


@dataclass(frozen=True)
class MeasuringJob:
    """A design to measure."""

    design: Sized
    request: Request


def size(job: SizingJob) -> Sized | Unsized:
    """Return the cheapest design of an arrangement for a throughput."""
    return cheapest(job.arrangement.members(job.request, job.least), job.request, job.least)


def measure(job: MeasuringJob) -> dict[str, Value]:
    """Return the values of all columns of a design."""
    return {key: value for group in groups() for key, value in group.values(job.design, job.request).items()}


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
    sized: dict[int, Sized | Unsized] = {}
    for result in fleet.map(size, jobs):
        if result is not None:
            sized[result[0]] = result[1]
        yield Step(len(sized), 2 * len(jobs))
    designs = list(dict.fromkeys(found for _, found in sorted(sized.items()) if isinstance(found, Sized)))
    measured: dict[Sized, dict[str, Value]] = {}
    for outcome in fleet.map(measure, [MeasuringJob(design, request) for design in designs]):
        if outcome is not None:
            measured[designs[outcome[0]]] = outcome[1]
        yield Step(len(jobs) + len(measured), len(jobs) + len(designs))
    rows = [_row(job, sized[index], measured) for index, job in enumerate(jobs)]
    total = len(jobs) + len(designs)
    yield Step(total, total, tuple(sorted(rows, key=_order)))


def _row(job: SizingJob, found: Sized | Unsized, measured: Mapping[Sized, Mapping[str, Value]]) -> Row:
    if isinstance(found, Unsized):
        return Row(job.arrangement, job.least, None, {}, found.reason)
    return Row(job.arrangement, job.least, found, measured[found])


def _order(row: Row) -> tuple[Fraction, bool, Fraction]:
    design = row.design
    price = Fraction(0) if design is None else Fraction(design.price_cents, design.family.nodes)
    return -row.least, design is None, price
