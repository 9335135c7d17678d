"""Rows of a comparison: the designs that were chosen, with all their numbers."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from isoplane.models import InputError
from isoplane.models.families.host_graph import HostGraph
from isoplane.runs.records import Record

from .column import Scope, Value
from .compared_design import ONE_SIZE, ComparedDesign, size
from .existing import Existing
from .fronts import PRICE, on_fronts
from .groups import groups
from .request import Request
from .same_networks import network_classes
from .sizes.nearest_sizes import has_members, nearest_sizes
from .sizes.plane_counts import Arrangement, arrangements, sized
from .sizes.sized_design import Miss, SizedDesign

Measured = tuple[dict[str, Value], Record | str]  # the values of columns by key, and the record or why there is none
Calls = Iterator[tuple[int, Any] | None]  # index and result of calls as they end, as of `Fleet.map`
Source = Arrangement | Existing
Key = tuple[Source, SizedDesign]
NOT_FOUND = "none within the limits in its time"
STEPS: Mapping[Scope, str] = {  # the longest calls first
    "front": "failures",
    "first": "bounds, cuts, jobs and growth",
}


@dataclass(frozen=True)
class Row:
    """A design, and its numbers.

    Parameters
    ----------
    arrangement
        The family, and the number of planes; or the existing design.
    least
        The throughput for which it was sized, as a fraction of the rate of a node; None for an existing design.
    design
        The design; None with a reason if no member reaches the throughput within the limits.
    values
        The values of columns by key, those that were not computed left out; empty without a design.
    reason
        Why there is no design or no record, or why values are missing, in words.
    record
        The record of the design; None without one.
    file
        The file of the record beside the page; empty if there is none.
    miss
        Why there is no design; None with one.
    same_as
        The first row of this throughput, or of an existing design, whose design is the same network; None if it is this
        one, or was not compared (`network_classes`).
    """

    arrangement: Source
    least: Fraction | None
    design: SizedDesign | None
    values: Mapping[str, Value]
    reason: str = ""
    record: Record | None = None
    file: str = ""
    miss: Miss | None = None
    same_as: "Row | None" = None

    @property
    def existing(self) -> Existing | None:
        """The existing design; None if it was sized."""
        return self.arrangement if isinstance(self.arrangement, Existing) else None


def _throughputs(source: Source, request: Request) -> tuple[Fraction | None, ...]:
    """Return the throughputs for which an arrangement is sized; None for an existing design."""
    return (None,) if isinstance(source, Existing) else request.throughputs


def _sized(arrangement: Source, request: Request, least: Fraction | None) -> SizedDesign | Miss:
    """Return a design, or the reason why there is none."""
    try:
        found = size(arrangement, request, least)
    except InputError as error:
        if not arrangement.searched:
            raise
        return Miss(f"not searched: {error}")
    if least is None or isinstance(arrangement, Existing) or isinstance(found, SizedDesign):
        return found
    if arrangement.searched:
        return found if found.limits else Miss(NOT_FOUND)
    return with_nearest_sizes(found, arrangement, request, least)


def with_nearest_sizes(miss: Miss, arrangement: Arrangement, request: Request, least: Fraction) -> Miss:
    """Return why an arrangement has no design, with the nearest sizes if none has the nodes and ports."""
    links, most = request.node_ports // arrangement.planes, sized(arrangement.family).most_node_links
    if most is not None and links > most:
        return Miss(f"a node has {links} links in each plane; expected at most {most}")
    if not has_members(arrangement, request, least):
        return Miss(f"{miss.text}; {nearest_sizes(arrangement, request, least)}")
    return miss


def _searched(request: Request) -> tuple[Arrangement, ...]:
    """Return any network that a search finds, if the request asks for it."""
    return () if request.search is None else (Arrangement(HostGraph.name, request.node_ports, searched=True),)


def measure(job: tuple[ComparedDesign, Scope]) -> dict[str, Value]:
    """Return the values of all columns of a scope for a design."""
    design, scope = job
    chosen = (group for group in groups() if group.scope == scope)
    return {key: value for group in chosen for key, value in group.values(design).items()}


def sized_and_measured(
    job: tuple[Source, Request],
) -> tuple[tuple[SizedDesign | Miss, ...], dict[SizedDesign, Measured]]:
    """Return the designs of an arrangement, one for each throughput of a request or the reason why there is none.

    Of each design also the columns are returned that are computed for all, and the record or why there is none; an
    existing design is the only one of its own.

    A design is measured right after it has been sized, while its family still has its routes and its network its racks.
    """
    found: list[SizedDesign | Miss] = []
    measured: dict[SizedDesign, Measured] = {}
    source, request = job
    for least in _throughputs(source, request):
        design = _sized(source, request, least)
        if isinstance(design, SizedDesign) and design not in measured:
            compared = ComparedDesign(source, least, design, request)
            measured[design] = measure((compared, "all")), compared.record()
        found.append(design)
    return tuple(found), measured


def compare(
    request: Request, run: Callable[..., Calls], existing: Sequence[Existing] = ()
) -> Iterator[tuple[str, tuple[Row, ...] | None]]:
    """Size all arrangements, and measure them and existing designs; yield the progress in words, and last the rows.

    Rows are sorted by throughput, descending, then by price, after those of existing designs; those without a design
    come last, those that are nearest to one first (`Miss.order`). Designs that several throughputs
    share are measured once. Functions are called on many arguments by `run`, such as `Fleet.map`.
    """
    sources: tuple[Source, ...] = (*existing, *arrangements(request), *_searched(request))
    jobs = [(source, request) for source in sources]
    # A search and one plane take longest: first, so that no worker idles at the end.
    jobs.sort(key=lambda job: (not job[0].searched, job[0].planes))
    found: dict[Source, tuple[SizedDesign | Miss, ...]] = {}
    values: dict[Key, dict[str, Value]] = {}
    records: dict[Key, Record | str] = {}
    for result in run(sized_and_measured, jobs):
        if result is not None:
            arrangement, (chosen, measured) = jobs[result[0]][0], result[1]
            found[arrangement] = chosen
            for design, of_design in measured.items():
                key = arrangement, design
                values[key], records[key] = of_design
        yield f"{len(found)} of {len(jobs)} sizings; parts, routes and prices of {len(values)} designs", None
    designs = [
        (source, least, design)
        for source in sources
        for least, design in zip(_throughputs(source, request), found[source], strict=True)
    ]
    by_key: dict[Key, ComparedDesign] = {}  # at the highest throughput of each
    for arrangement, least, design in designs:
        if isinstance(design, SizedDesign):
            key = arrangement, design
            by_key.setdefault(key, ComparedDesign(arrangement, least, design, request))
    in_scope = {scope: _in_scope(scope, request, by_key, values) for scope in STEPS}
    scoped = [(scope, key) for scope, keys in in_scope.items() for key in keys]
    done = dict.fromkeys(STEPS, 0)
    for outcome in run(measure, [(by_key[key], scope) for scope, key in scoped]):
        if outcome is not None:
            scope, key = scoped[outcome[0]]
            values[key].update(outcome[1])
            done[scope] += 1
        yield "; ".join(f"{STEPS[each]}: {done[each]} of {len(in_scope[each])} designs" for each in STEPS), None
    rows = [_row(*design, by_key, values, records) for design in designs]
    yield "done", _with_same(sorted(rows, key=_order))


def _in_scope(
    scope: Scope, request: Request, by_key: Mapping[Key, ComparedDesign], values: Mapping[Key, Mapping[str, Value]]
) -> list[Key]:
    """Return the designs for which the columns of a scope are computed, beyond those of all designs, largest first.

    What a search finds changes none of those of the families.
    """
    highest = {
        searched: max(
            (each.least for key, each in by_key.items() if key[0].searched == searched and each.least), default=None
        )
        for searched in (False, True)
    }
    first = [key for key, compared in by_key.items() if compared.least in (None, highest[key[0].searched])]
    first.sort(key=lambda key: -by_key[key].family.switches)
    if scope == "first" or request.failures == "all":
        return first
    if request.failures == "none":
        return []
    on_front = on_fronts([key for key in first if by_key[key].least is not None and not key[0].searched], values)
    return [key for key in first if by_key[key].least is None or key[0].searched or key in on_front]


def _row(
    arrangement: Source,
    least: Fraction | None,
    found: SizedDesign | Miss,
    by_key: Mapping[Key, ComparedDesign],
    values: Mapping[Key, Mapping[str, Value]],
    records: Mapping[Key, Record | str],
) -> Row:
    if isinstance(found, Miss):
        return Row(arrangement, least, None, {}, found.text, miss=found)
    key = arrangement, found
    is_highest = least == by_key[key].least  # the columns of other scopes belong to it
    columns = [column.key for group in groups() if is_highest or group.scope == "all" for column in group.columns]
    record = records[key]
    reasons = [f"no growth: {ONE_SIZE}"] if least is None else []
    shown = {name: values[key][name] for name in columns if name in values[key]}
    if isinstance(record, str):
        return Row(arrangement, least, found, shown, "; ".join([*reasons, record]))
    return Row(arrangement, least, found, shown, "; ".join(reasons), record)


def _with_same(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows with the first one that is the same network."""
    classes = network_classes(row.design.family for row in rows if row.design is not None)
    first: dict[tuple[Fraction | None, Hashable], Row] = {}
    found = []
    for row in rows:
        of_network = None if row.design is None else classes.get(row.design.family)
        if of_network is not None:
            same = first.get((None, of_network)) or first.setdefault((row.least, of_network), row)
            row = row if same is row else replace(row, same_as=same)
        found.append(row)
    return tuple(found)


def _order(row: Row) -> tuple[bool, Fraction, bool, Any]:
    price = float(row.values.get(PRICE) or 0)
    return row.least is not None, -(row.least or Fraction(0)), row.design is None, row.miss.order if row.miss else price


def saving(best: Row, row: Row) -> dict[str, float | int | None]:
    """Return how much less a design costs than another, per node and in percent, and how many switches fewer it has.

    Parameters
    ----------
    best
        The design, of which negative numbers say that it costs or has more.
    row
        The other one; without a price there is no percentage.
    """
    (price, switches), (other, others) = (
        (float(each.values[PRICE] or 0), int(each.values["switches"] or 0)) for each in (best, row)
    )
    percent = 100 * (1 - price / other) if other else None
    return {"usd_per_node": other - price, "percent": percent, "switches": others - switches}


def throughputs_of(rows: Sequence[Row]) -> list[Fraction]:
    """Return the throughputs for which designs were sized, descending."""
    return sorted({row.least for row in rows if row.least is not None}, reverse=True)


def designs_at(rows: Sequence[Row], least: Fraction) -> list[Row]:
    """Return the designs that were sized for a throughput, and the existing ones, by price.

    Existing designs have the columns of the other rows: all for the highest throughput with a design, else those of all
    designs.
    """
    highest = max((row.least for row in rows if row.least is not None and row.design is not None), default=least)
    everywhere = {column.key for group in groups() if group.scope == "all" for column in group.columns}
    found = []
    for row in rows:
        if row.design is None or row.least not in (None, least):
            continue
        if row.least is None and least != highest:
            row = replace(row, values={key: value for key, value in row.values.items() if key in everywhere})
        found.append(row)
    return sorted(found, key=lambda row: float(row.values.get(PRICE) or 0))
