"""Several designs as one result: those of a front, the best of each size that was searched, or any that are given."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.family_kinds.cube import cubes_of, has_kernels
from isoplane.objectives import Lexicographic, displayed_metric
from isoplane.objectives.scoring.functions import integers_of
from isoplane.objectives.scoring.own_metrics import own_name
from isoplane.objectives.scoring.products import WORDS
from isoplane.runs.cli.sized_search import PRICED, SITE, request_of_sizes
from isoplane.runs.comparison.existing import existing_designs
from isoplane.runs.comparison.found_sizes import order_of, priced_row
from isoplane.runs.comparison.request import Request
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.comparison.tables import assumptions
from isoplane.runs.terminal.design_table import NODES, beside_others, known_metrics
from isoplane.runs.terminal.design_table import assumptions as assumptions_of

from .panels import (
    BARS,
    CHIEF,
    DESIGN,
    FRONT,
    PROVEN,
    Panel,
    Row,
    Series,
    axis_title,
    front_panel,
    is_number,
    price_panels,
)
from .result import Result

AXES = ("delay_ns", "max_traffic")  # of fronts whose records do not name their metrics
GENERATORS = "generators"
SIZE = "size"  # column of the names of sizes
BY_SWITCH = ("max_load", "max_traffic")  # of cubes
WORD = re.compile(r"[A-Za-z_]\w*")  # in a clause, such as the name of a metric
OPTIMAL = "proven optimal"
DRAWN = ("cost_usd_per_node", "delay_ns", "aspl", "throughput_per_node")  # of sizes; those that all of them have


def axes_of(objective: Lexicographic) -> tuple[str, str] | None:
    """Return the two metrics of the front that an objective asks for; None of a single score."""
    own = integers_of(objective.functions)
    names = [
        own_name(name) if name in own else displayed_metric(objective.scope, name)[0].name
        for name in objective.front or ()
    ]
    return (names[0], names[1]) if names else None


def front_result(designs: Sequence[Result], axes: tuple[str, str] | None, status: str = "") -> Result:
    """Return several designs as a front.

    Parameters
    ----------
    designs
        The designs, the best one first.
    axes
        The metrics that are drawn against each other; None for the best design alone.
    status
        What is proven, in words.
    """
    best = designs[0]
    chief = dict.fromkeys([*(axes or ()), *(name for name in CHIEF if name in best.rows[0])])
    rows = [{**result.rows[0], **_connections(result)} for result in designs]
    return Result(
        FRONT,
        best.title,
        rows,
        (*chief, *([] if axes is None or GENERATORS not in rows[0] else [GENERATORS])),
        lambda: {"designs": [result.to_dict() for result in designs]},
        best.panels if axes is None else lambda: (front_panel(rows, axes, best.baseline),),
        lambda: front_page(designs),
        status,
        members=tuple(designs),
        baseline=best.baseline,
    )


def _connections(result: Result) -> Row:
    """Return the connection set of plane 1 of two cubes, which tells the designs of a front apart."""
    if result.design is None or not has_kernels(result.design.network):
        return {}
    planes = cubes_of(result.design.network).planes
    return {GENERATORS: " ".join(map(str, planes[1].connections.generators))} if len(planes) == 2 else {}


def comparable_request(given: Mapping[str, object]) -> Request | None:
    """Return the request by which `isoplane search nodes= ports=` prices sizes, from the options of the searches.

    None if they have no prices, such as without a layout, or sizes.
    """
    if not given:
        return None
    try:
        return request_of_sizes({key: value for key, value in given.items() if value is not None or key in SITE})
    except InputError:
        return None


def lowest_price(request: Request | None, given: Mapping[str, object]) -> int | None:
    """Return the `price_bound` in cents of any network with the throughput that is asked for; None without one."""
    asked = given.get("throughput")
    return None if request is None or asked is None else price_bound(request, Fraction(str(asked)))


def sizes_result(designs: Sequence[tuple[str, Result, bool]], request: Request | None) -> Result:
    """Return the best design of each size, whose scores do not compare, as a result.

    Parameters
    ----------
    designs
        The names of the sizes, the designs, and whether they meet all limits, in the order of the searches.
    request
        As of `comparable_request`; with one they have prices of comparisons, by which they are sorted.
    """
    found = [(name, result, {}) for name, result, _ in designs] if request is None else _priced(designs, request)
    rows: list[Row] = [{SIZE: name, **each.rows[0], **priced, "status": each.status} for name, each, priced in found]
    first = () if request is None else PRICED
    chief = [name for name in dict.fromkeys([*first, *CHIEF]) if any(row.get(name) is not None for row in rows)]
    members = tuple(result for _, result, _ in found)
    proven = sum(result.status.startswith(OPTIMAL) for result in members)
    return Result(
        "sizes",
        f"the best of each of {len(found)} sizes",
        rows,
        (SIZE, *chief),
        lambda: {"designs": [result.to_dict() for result in members]},
        lambda: _size_panels(rows),
        no_page,
        f"{proven} of {len(found)} {OPTIMAL}",
        notes=() if request is None else tuple(assumptions(request)),
        members=members,
    )


def _priced(designs: Sequence[tuple[str, Result, bool]], request: Request) -> list[tuple[str, Result, Row]]:
    """Return names, designs, and prices and delays as of a comparison, the cheapest one first."""
    families = [result.design.network.family for _, result, _ in designs if result.design is not None]
    rows = [priced_row(request, source) for source in existing_designs(families)]
    order = [order_of(row, meets_limits=meets) for row, (_, _, meets) in zip(rows, designs, strict=True)]
    found = [
        (name, result, {key: row.values[key] for key in PRICED if key in row.values})
        for row, (name, result, _) in zip(rows, designs, strict=True)
    ]
    return [found[place] for place in sorted(range(len(found)), key=order.__getitem__)]


def _size_panels(rows: Sequence[Row]) -> tuple[Panel, ...]:
    """Return two of the metrics that all sizes have, by size."""
    panels: list[Panel] = []
    for name in DRAWN:
        values = [value for row in rows if is_number(value := row.get(name))]
        if len(values) == len(rows):
            series: Series = ("", [str(row[SIZE]) for row in rows], values, BARS)
            panels.append(("size", axis_title(name), (series,)))
    return tuple(panels[:2])


def named_designs(designs: Sequence[Result]) -> dict[str, Result]:
    """Return designs by their names, with numbers for those of the same name."""
    titles = [str(each.rows[0][DESIGN]) for each in designs]
    counts, seen = Counter(titles), Counter[str]()
    names: list[str] = []
    for title in titles:
        seen[title] += 1
        names.append(f"{title} ({seen[title]})" if counts[title] > 1 else title)
    return dict(zip(names, designs, strict=True))


def side_by_side(designs: Mapping[str, Result]) -> Result:
    """Return designs by their names as a result with a row for each."""
    if not designs:
        raise InputError("design: no designs; expected one or more")
    rows: list[Row] = [
        {**each.rows[0], DESIGN: name} if each.design is None else beside_others(name, each.design, each.rows[0])
        for name, each in designs.items()
    ]
    said: dict[str, list[str]] = {}
    for name, each in designs.items():
        lengths = [] if each.design is None else assumptions_of(each.design)[:1]  # of cables
        for note in (*each.notes, *lengths):
            said.setdefault(note, []).append(name)
    members = tuple(designs.values())
    known = {DESIGN, NODES, *PROVEN, *known_metrics()}
    stated = [name for name in rows[0] if name not in known]  # by an objective
    factors = [WORDS.get(word, word) for name in stated for word in WORD.findall(name)]
    # What cubes alone count by switch is left out beside others, with which they share the throughput per node.
    chief = [name for name in CHIEF if any(row.get(name) is not None for row in rows)]
    chief = [name for name in chief if name not in BY_SWITCH or all(name in row for row in rows)]
    sizes = {row[NODES] for row in rows if is_number(row.get(NODES))}
    differ = "The designs have different numbers of nodes; nodes_per_switch and sizes of each can be given."
    return Result(
        "designs",
        f"{len(rows)} designs side by side",
        rows,
        tuple(dict.fromkeys([DESIGN, NODES, *stated, *(name for name in factors if name in rows[0]), *chief])),
        lambda: {"designs": [each.to_dict() for each in members]},
        lambda: price_panels(rows),
        no_page,
        notes=(
            *([differ] if len(sizes) > 1 else []),
            *(f"{'all' if len(names) == len(rows) else ', '.join(names)}: {note}" for note, names in said.items()),
        ),
        members=members,
    )


def no_page() -> str:
    """Raise an `InputError`: several designs have no page together."""
    raise InputError(
        "path: each design has a page of its own; expected .json, .csv, .tex, .md, .svg, .pdf, .png, or result[0].save"
    )


def front_page(designs: Sequence[Result]) -> str:
    """Return the page of a front, of which the best design comes first."""
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData

    best, *others = (result.to_dict() for result in designs)
    return render(ReportData(best, others=others))
