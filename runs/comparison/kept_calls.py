"""Calls of a comparison whose results are kept in its folder, so that an interrupted one continues."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from isoplane.fleet import Fleet
from isoplane.models import Family, InputError
from isoplane.runs.config.config_values import given_words
from isoplane.runs.folder.journal import Journal
from isoplane.runs.inputs.named_families import family_of

from .compared_design import ComparedDesign
from .existing import Existing
from .interactive.offers import offers
from .rows import Calls, measure, sized_and_measured
from .sizes.sized_design import Miss, SizedDesign

Json = Any


def kept_calls(fleet: Fleet, journal: Journal, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Calls:
    """Yield (index, result) of calls as `Fleet.map` does, those that a journal has first, and add the others to it.

    Calls for existing designs, whose files can change, are made again.

    Parameters
    ----------
    fleet
        The fleet that makes the other calls.
    journal
        Results of calls with the same arguments.
    function, jobs
        One of `FORMS`, and its arguments.
    """
    write, read = FORMS[function]
    jobs = list(jobs)
    keys = [_key(job) for job in jobs]
    kept = [None if key is None else journal.find(key) for key in keys]
    yield from ((index, read(result)) for index, result in enumerate(kept) if result is not None)
    rest = [index for index, result in enumerate(kept) if result is None]
    for call in fleet.map(function, [jobs[index] for index in rest]):
        if call is None:
            yield None
            continue
        index, result = rest[call[0]], call[1]
        with suppress(InputError):  # a design without a record is sized again
            if keys[index] is not None:
                journal.add(keys[index], write(result))
        yield index, result


def kept_words(journal: Journal) -> list[str]:
    """Return the overrides of the command that began a comparison, which its journal keeps."""
    words: list[str] | None = journal.find(["words"])
    if words is None:
        words = given_words()
        journal.add(["words"], words)
    return words


def _key(job: Any) -> Json:
    """Return all that determines the result of a call of one of `FORMS`; None for existing designs."""
    first, second = job
    scope, source, request = ["laid-out offers" if isinstance(second, tuple) else "laid out"], first, second
    if isinstance(first, ComparedDesign):
        scope, source, request = [second, str(first.least), repr(first.design)], first.arrangement, first.request
    return None if isinstance(source, Existing) else [*scope, repr(source), repr(request)]


def _design_json(design: SizedDesign | Miss) -> Json:
    larger = None if design.larger is None else _design_json(design.larger)
    if isinstance(design, Miss):
        nearest = None if design.design is None else _design_json(design.design)
        miss = {"miss": design.text, "limits": design.limits, "value": design.value, "design": nearest}
        return {**miss, "larger": larger}
    numbers = {"throughput": str(design.throughput), "price_cents": int(design.price_cents), "larger": larger}
    return {**design.family.write(), **numbers}


def _design_from(found: Json) -> SizedDesign:
    return SizedDesign(
        _family_from(found), Fraction(found["throughput"]), found["price_cents"], _optional_from(found["larger"])
    )


def _optional_from(found: Json) -> SizedDesign | None:
    return None if found is None else _design_from(found)


def _design_or_miss_from(found: Json) -> SizedDesign | Miss:
    if "miss" not in found:
        return _design_from(found)
    nearest, larger = _optional_from(found["design"]), _optional_from(found["larger"])
    return Miss(found["miss"], tuple(found["limits"]), found["value"], nearest, larger)


def _family_from(found: Json) -> Family:
    keys = {**found["network"], "nodes_per_switch": found["nodes_per_switch"]}
    family: Family = family_of(keys.pop("family")).read(keys)
    return family


def _values_json(values: Json) -> Json:
    """Return columns with numbers of Python's own types, which JSON has."""
    return {key: getattr(value, "item", lambda value=value: value)() for key, value in values.items()}


def _sized_json(result: Json) -> Json:
    designs, measured = result
    return {
        "designs": [_design_json(design) for design in designs],
        "measured": [
            [_design_json(design), _values_json(values), record] for design, (values, record) in measured.items()
        ],
    }


def _sized_from(found: Json) -> Json:
    measured = {_design_from(design): tuple(of_design) for design, *of_design in found["measured"]}
    return tuple(map(_design_or_miss_from, found["designs"])), measured


# By function: from its results to JSON data, and back.
FORMS: dict[Callable[..., Any], tuple[Callable[[Any], Json], Callable[[Json], Any]]] = {
    sized_and_measured: (_sized_json, _sized_from),
    measure: (_values_json, dict),
    offers: (dict, dict),
}
