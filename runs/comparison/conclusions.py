"""What stands right beside the result of a comparison: what is proven, and what the winner does not offer."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from isoplane.objectives.scoring.gap import relative_gap

from .column import Value
from .fronts import PRICE
from .request import Request
from .rows import Row
from .sizes.price_bound import price_bound
from .tables import column_named, design_text, percent_of, size_text

NONE = "No design has {share} within the limits."
NEAREST, OR = "Nearest: {designs}.", "; or "
PROVEN = (
    "Proven: no network of these nodes, switches and prices, of any family, has {share} for less than {price} US$ per "
    "node{below}. Not proven: that no network lies between; this is the cheapest of the sizes tried of {families}."
)
BELOW = ", {gap} % below this design"
NO_TABLES = "On InfiniBand: the cheapest design has no forwarding tables for OpenSM; {others}."
NO_OTHER, OTHERS, EQUALS = "no design here has", "the cheapest that has: {designs}, at {price}", " or "


def conclusions(request: Request, rows: Sequence[Row]) -> list[str]:
    """Return sentences beside the cheapest design: throughputs without one, what is proven, and tables for OpenSM."""
    sized = [row for row in rows if row.design is not None and row.least is not None]
    above = (least for least in request.throughputs if not sized or least > (sized[0].least or 0))
    without = [without_text(rows, least) for least in above]
    if not sized:
        return without
    alike = [row for row in sized if row.least == sized[0].least]
    return [*without, _proven(request, sized[0]), *_opensm(sized[0], alike)]


def without_text(rows: Sequence[Row], least: Fraction) -> str:
    """Return that no design has a throughput within the limits, with the nearest ones.

    Parameters
    ----------
    rows
        Those of a comparison, in their order.
    least
        The throughput.
    """
    none = NONE.format(share=percent_of(least))
    nearest = OR.join(_nearest(rows, least))
    return f"{none} {NEAREST.format(designs=nearest)}" if nearest else none


def _nearest(rows: Sequence[Row], least: Fraction) -> Iterator[str]:
    """Yield what has to give way for a design: the nearest one for each choice of limits, in the order of rows.

    Of those that break the same limits, or more, the first one is the nearest.
    """
    found: list[set[str]] = []
    for row in rows:
        if row.miss is None or row.least != least or not row.miss.limits:
            continue
        broken = set(row.miss.limits)
        if not any(other <= broken for other in found):
            found.append(broken)
            design = row.miss.design
            title = row.arrangement.title if design is None else design_text(row.arrangement, design)
            yield f"{title} {row.reason}"


def price_text(value: Value) -> str:
    """Return a price per node as text."""
    return f"{column_named(PRICE).text(value)} US$ per node"


def _proven(request: Request, best: Row) -> str:
    """Return what is proven of the price of the cheapest design, and what is not."""
    assert best.least is not None  # of sized designs
    cents = price_bound(request, best.least)
    gap = relative_gap(round(100 * request.nodes * float(best.values[PRICE] or 0)), cents)
    below = BELOW.format(gap=f"{100 * float(gap):.1f}") if gap else ""
    price = column_named(PRICE).text(cents / 100 / request.nodes)
    families = families_text(request)
    if request.search is not None:
        families += f" and of what a search of {float(request.search):g} s found"
    return PROVEN.format(share=percent_of(best.least), price=price, below=below, families=families)


def families_text(request: Request) -> str:
    """Return how many families are tried."""
    return "1 family" if len(request.families) == 1 else f"{len(request.families)} families"


def _opensm(best: Row, alike: Sequence[Row]) -> Iterator[str]:
    """Yield that OpenSM has no tables for the cheapest design, and the cheapest ones that it has tables for.

    Several cost the same where families have one network, of which each has its own detours.
    """
    if best.values.get("opensm") != 0:
        return
    able = [row for row in alike if row.values.get("opensm")]
    if not able:
        yield NO_TABLES.format(others=NO_OTHER)
        return
    price = able[0].values[PRICE]
    named = EQUALS.join(size_text(row) for row in able if row.values[PRICE] == price)
    yield NO_TABLES.format(others=OTHERS.format(designs=named, price=price_text(price)))
