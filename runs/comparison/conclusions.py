"""What stands right beside the result of a comparison: what is proven, and what the winner does not offer."""

from collections.abc import Iterator, Sequence

from isoplane.objectives.scoring.gap import relative_gap

from .column import Value
from .fronts import PRICE
from .request import Request
from .rows import Row
from .sizes.price_bound import price_bound
from .tables import column_named, percent_of, size_text


def conclusions(request: Request, rows: Sequence[Row]) -> list[str]:
    """Return sentences beside the cheapest design: throughputs without one, what is proven, and tables for OpenSM."""
    sized = [row for row in rows if row.design is not None and row.least is not None]
    if not sized:
        return []
    best = sized[0]
    assert best.least is not None  # of sized designs
    alike = [row for row in sized if row.least == best.least]
    return [*_without(request, rows, best), _proven(request, best), *_opensm(best, alike)]


def price_text(value: Value) -> str:
    """Return a price per node as text."""
    return f"{column_named(PRICE).text(value)} US$ per node"


def _without(request: Request, rows: Sequence[Row], best: Row) -> Iterator[str]:
    """Yield that no design has a throughput above that of the cheapest one, with the nearest one by price."""
    for least in request.throughputs:
        if best.least is None or least <= best.least:
            return
        # They are in the order of prices.
        near = next((row for row in rows if row.least == least and row.reason.startswith("costs ")), None)
        nearest = "" if near is None else f"; nearest: {near.arrangement.title} {near.reason}"
        yield f"No design has {percent_of(least)} within the limits{nearest}."


def _proven(request: Request, best: Row) -> str:
    """Return what is proven of the price of the cheapest design, and what is not."""
    assert best.least is not None  # of sized designs
    cents = price_bound(request, best.least)
    gap = relative_gap(round(100 * request.nodes * float(best.values[PRICE] or 0)), cents)
    below = f", {100 * float(gap):.1f} % below this design" if gap else ""
    families = "1 family" if len(request.families) == 1 else f"{len(request.families)} families"
    return (
        f"Proven: no network of these nodes, switches and prices, of any family, has {percent_of(best.least)} for less "
        f"than {price_text(cents / 100 / request.nodes)}{below}. Not proven: that no network lies between; this is the "
        f"cheapest of the sizes tried of {families}."
    )


def _opensm(best: Row, alike: Sequence[Row]) -> Iterator[str]:
    """Yield that OpenSM has no tables for the cheapest design, and the cheapest one that it has tables for."""
    if best.values.get("opensm") != 0:
        return
    able = next((row for row in alike if row.values.get("opensm")), None)
    other = "no design here has" if able is None else f"the cheapest that has: {size_text(able)}, at "
    price = "" if able is None else price_text(able.values[PRICE])
    yield f"On InfiniBand: the cheapest design has no forwarding tables for OpenSM; {other}{price}."
