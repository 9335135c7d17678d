"""Calls of a comparison whose results are kept in its folder, so that an interrupted one continues."""

from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

from isoplane.fleet import Fleet
from isoplane.models import Family, InputError
from isoplane.runs.folder.journal import Journal
from isoplane.runs.inputs.record_families import family_of

from .compared_design import ComparedDesign
from .existing import Existing
from .rows import measure, sized_and_measured
from .sizes.sizing import SizedDesign

Json = Any
T = TypeVar("T")
R = TypeVar("R")


class KeptCalls:
    """A fleet for `compare` that makes only the calls whose results a journal lacks, and adds theirs to it.

    Calls for existing designs, whose files can change, and those that return families that no record represents, such
    as Port-Aggregate cubes, are made again.

    Parameters
    ----------
    fleet
        The fleet that makes the calls.
    journal
        Results of calls with the same arguments.
    """

    def __init__(self, fleet: Fleet, journal: Journal) -> None:
        self._fleet, self._journal = fleet, journal

    @property
    def workers(self) -> int:
        """Number of workers."""
        return self._fleet.workers

    @property
    def target_call_seconds(self) -> float:
        """As of the fleet."""
        return self._fleet.target_call_seconds

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Yield (index, result) of calls, those of the journal first; see `Fleet.map`."""
        write, read = FORMS[function]
        jobs = list(items)
        keys = [_key(job) for job in jobs]
        kept = [None if key is None else self._journal.find(key) for key in keys]
        yield from ((index, read(result)) for index, result in enumerate(kept) if result is not None)
        rest = [index for index, result in enumerate(kept) if result is None]
        for call in self._fleet.map(function, [jobs[index] for index in rest]):
            if call is None:
                yield None
                continue
            index, result = rest[call[0]], call[1]
            if keys[index] is not None:
                with suppress(InputError):
                    self._journal.add(keys[index], write(result))
            yield index, result


def _key(job: Any) -> Json:
    """Return all that determines the result of a call of one of `FORMS`; None for existing designs."""
    first, second = job
    scope, source, request = ["sized"], first, second
    if isinstance(first, ComparedDesign):
        scope, source, request = [second, str(first.least), repr(first.design)], first.arrangement, first.request
    return None if isinstance(source, Existing) else [*scope, repr(source), repr(request)]


def _design_json(design: SizedDesign | str) -> Json:
    if isinstance(design, str):
        return {"reason": design}
    return {**design.family.write(), "throughput": str(design.throughput), "price_cents": int(design.price_cents)}


def _design_from(found: Json) -> SizedDesign | str:
    if "reason" in found:
        return str(found["reason"])
    return SizedDesign(_family_from(found), Fraction(found["throughput"]), found["price_cents"])


def _family_from(found: Json) -> Family:
    keys = {**found["network"], "nodes_per_switch": found["nodes_per_switch"]}
    family: Family = family_of(keys.pop("family")).read(keys)
    return family


def _values_json(values: Json) -> Json:
    """Return columns with numbers of Python's own types, which JSON has."""
    return {key: getattr(value, "item", lambda value=value: value)() for key, value in values.items()}


def _sized_json(result: Json) -> Json:
    designs, values = result
    return {
        "designs": [_design_json(design) for design in designs],
        "values": [[_design_json(design), _values_json(of_design)] for design, of_design in values.items()],
    }


def _sized_from(found: Json) -> Json:
    values = {_design_from(design): of_design for design, of_design in found["values"]}
    return tuple(map(_design_from, found["designs"])), values


# By function: from its results to JSON data, and back.
FORMS: dict[Callable[..., Any], tuple[Callable[[Any], Json], Callable[[Json], Any]]] = {
    sized_and_measured: (_sized_json, _sized_from),
    measure: (_values_json, dict),
}
