"""The result of a comparison, and what stands right beside it: what is proven, and what the winner does not offer."""

import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from isoplane.models import Family
from isoplane.models.files.exact_text import counted
from isoplane.objectives.scoring.gap import relative_gap
from isoplane.runs.config.config_values import config_folders

from .column import Value
from .fronts import PRICE
from .request import Request, is_searchable
from .rows import Row, saving
from .sizes.price_bound import price_bound
from .tables import column_named, design_text, percent_of, size_text

TOTAL = "cost_usd"
LESS, WITHIN = "cost {less} US$ less in all than the cheapest design with {share}", "be within the limits"
LARGER = (
    "{nodes:,} nodes would {more}: {design}, at {price} US$ in all, has {share} with all of them, but not with the "
    "{requested:,} requested alone."
)
FORMATS = ("cabling", "netbox", "graphml")  # of exports: those that can express every design
NONE = "No design has {share} within the limits."
NEAREST, OR = "Nearest: {designs}.", "; or "
BOUND = (
    "Proven: no network of these nodes, switches and prices, of any family, has {share} for less than {price} US$ per "
    "node"
)
PROVEN = (
    f"{BOUND}{{below}}. Not proven: that no network lies between; this is the cheapest of the sizes laid out of "
    "{families}."
)
NEVER = f"{BOUND}, so that none meets the limit of {{limit}}."
OPEN = f"{BOUND}. Not proven: that none meets the limits; tried were sizes of {{families}}."
TRY_SEARCH = "; search=60 also tries networks of no family, which are often cheaper"
BELOW = ", {gap} % below the cheapest design"
EXISTING = "{design}, has {share} at {prices}"
DEARER = "the cheapest design of {share} here {costs} and {has}"
FLOOR = "{share} costs at least {price} US$ per node in any network{below}"
NO_TABLES = (
    "On InfiniBand: OpenSM cannot load the routes of the cheapest design as forwarding tables; with routes that OpenSM "
    "chooses, its throughput and delay can differ; {others}."
)
NO_OTHER, OTHERS, EQUALS = "nor those of any design here", "the cheapest it can load: {designs}, at {price}", " or "
HIGHEST = "Within the budget, the highest throughput here: {design}, with {share} at {prices}."
FINER = " With 'throughput=[{steps}]' the command sizes designs for more."
ABOVE = (
    "The budget is kept at the given prices; with all parts at the high ends of their price ranges the cheapest design "
    "costs {price}, above the budget of {limit}."
)
STEPS = 20  # of throughputs to ask for


def sentence(request: Request, rows: Sequence[Row]) -> str:
    """Return the result in a sentence: the cheapest design at the highest throughput."""
    designs = [row for row in rows if row.design is not None]
    sized = [row for row in designs if not row.existing]
    if not sized:
        return NONE.format(share=percent_of(request.throughputs[-1])).removesuffix(".")
    best = sized[0]
    kind = "sized design" if any(map(partial(_is_cheaper, best), designs)) else "design"
    policy = policy_text(best)
    shares = f" ({share_text(best)}{policy})" if policy else ""
    return (
        f"The cheapest {kind} with at least {percent_of(best.least)} of the rate of every node in all-to-all "
        f"traffic: {size_text(best)}, at {prices_text(best)}{shares}"
    )


def _existing_text(request: Request, row: Row, best: Row | None) -> str:
    """Return throughput and price of an existing design, what the cheapest one saves over it, and what any costs."""
    share = share_text(row) + policy_text(row)
    said = [EXISTING.format(design=size_text(row), share=share, prices=prices_text(row))]
    if best is not None and row.values[PRICE]:
        said.append(_saving_text(best, row))
    reached = next((least for least in request.throughputs if least <= _least_throughput(row)), None)
    if reached is not None:
        cents = price_bound(request, reached)
        gap = _gap(request, row, cents)
        below = f", {gap} % below the existing design" if gap else ""
        said.append(FLOOR.format(share=percent_of(reached), price=_bound_text(request, cents), below=below))
    return f"{'; '.join(said)}."


def _saving_text(best: Row, row: Row) -> str:
    """Return what the cheapest design costs and has less than an existing one, or more."""
    usd, percent, switches = saving(best, row).values()
    price = f"{price_text(abs(usd or 0))}{'' if percent is None else f' ({abs(percent):.1f} %)'}"
    parts = f"{counted(abs(int(switches or 0)), 'switch')} {'fewer' if (switches or 0) > 0 else 'more'}"
    return DEARER.format(
        share=share_text(best),
        costs=f"costs {price} {'less' if (usd or 0) > 0 else 'more'}" if usd else "costs the same",
        has=f"has {parts if switches else 'as many switches'}",
    )


def _is_cheaper(best: Row, row: Row) -> bool:
    """Whether an existing design costs less than a sized one, with its throughput."""
    price, other = (float(each.values[PRICE] or 0) for each in (row, best))
    return row.existing is not None and price < other and _least_throughput(row) >= (best.least or 0)


def _below(request: Request, row: Row, cents: int) -> str:
    """Return by how much a proven price is below that of the cheapest design; nothing if it is not."""
    gap = _gap(request, row, cents)
    return BELOW.format(gap=gap) if gap else ""


def _gap(request: Request, row: Row, cents: int) -> str:
    """Return by which percentage a proven price is below that of a design; nothing if it is not."""
    gap = relative_gap(round(100 * request.nodes * float(row.values[PRICE] or 0)), cents)
    return f"{100 * float(gap):.1f}" if gap else ""


def share_text(row: Row) -> str:
    """Return the throughput of a design as a percentage; that of the requested nodes if it is lower."""
    return f"{100 * min(float(row.values[key] or 0) for key in ('throughput', 'throughput_requested')):.1f} %"


def policy_text(row: Row) -> str:
    """Return the policy of planes under which a design has its throughput, and that under ``spray`` if it differs."""
    assert row.design is not None
    spray, policy = row.values.get("throughput_spray"), getattr(row.design.family, "policy", None)
    if spray is None or policy is None or spray == row.values["throughput"]:
        return ""
    return f" under policy {policy}, {100 * float(spray):.1f} % under spray"


def conclusions(request: Request, rows: Sequence[Row]) -> list[str]:
    """Return sentences beside the cheapest design.

    They are on existing designs, throughputs without a design, what is proven, and tables for OpenSM.
    """
    sized = [row for row in rows if row.design is not None and row.least is not None]
    best = sized[0] if sized else None
    existing = [_existing_text(request, row, best) for row in rows if row.existing and row.design is not None]
    above = [least for least in request.throughputs if best is None or least > (best.least or 0)]
    without = [text for least in above for text in (without_text(request, rows, least), *_larger(request, rows, least))]
    if best is None:
        return [*existing, *without]
    others = request.throughputs[len(above) :]
    larger = [text for least in others for text in _larger(request, rows, least)]
    alike = [row for row in sized if row.least == best.least]
    also = "" if request.search is None else f" and of what a search of {float(request.search):g} s found"
    proven = proven_text(request, best, families_text(request, also))
    return [*existing, *without, proven, *larger, *_opensm(best, alike)]


def without_text(request: Request, rows: Sequence[Row], least: Fraction) -> str:
    """Return that no design has a throughput within the limits, with the nearest ones and what is proven of any.

    Parameters
    ----------
    request
        That of the comparison.
    rows
        Those of a comparison, in their order.
    least
        The throughput.
    """
    nearest, cents, budget = OR.join(_nearest(rows, least)), price_bound(request, least), request.budget_cents
    said = [NONE.format(share=percent_of(least)), *([NEAREST.format(designs=nearest)] if nearest else [])]
    bound = {"share": percent_of(least), "price": _bound_text(request, cents)}
    if budget is not None and budget < cents:
        return " ".join([*said, NEVER.format(**bound, limit=request.usd_per_node(budget))])
    also = "" if request.search is None else f" and a search of {float(request.search):g} s"
    return " ".join([*said, OPEN.format(**bound, families=families_text(request, also))])


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


def _larger(request: Request, rows: Sequence[Row], least: Fraction) -> Iterator[str]:
    """Yield which design with more nodes costs less in all than the cheapest one with a throughput, if any is known.

    Without a design within the limits, one with more nodes may be.
    """
    chosen = [(row.arrangement, row.design or row.miss) for row in rows if row.least == least]
    larger = [(each.larger, source) for source, each in chosen if each is not None and each.larger is not None]
    if not larger:
        return
    design, source = min(larger, key=lambda pair: pair[0].price_cents)
    price, nodes = design.price_cents / 100, design.family.nodes
    lowest = min((float(row.values[TOTAL] or 0) for row in rows if row.design and row.least == least), default=None)
    if lowest is None or price < lowest:
        text = column_named(TOTAL).text
        share = percent_of(least)
        more = WITHIN if lowest is None else LESS.format(less=text(lowest - price), share=share)
        named = {"design": design_text(source, design), "price": text(price), "share": share}
        yield LARGER.format(nodes=nodes, more=more, requested=request.nodes, **named)


def budget_texts(request: Request, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what the budget buys at most, and that the cheapest design can cost more in the ranges of prices."""
    sized = [row for row in rows if row.design is not None and row.least is not None]
    budget = request.budget_cents
    if budget is None or not sized:
        return
    best = max(sized, key=_least_throughput)  # the cheapest one of several, because the first
    reached = _least_throughput(best)
    next_asked = min((least for least in request.throughputs if least > reached), default=Fraction(2))
    steps = [step for step in (Fraction(k, STEPS) for k in range(STEPS, 0, -1)) if reached < step < next_asked]
    open_steps = [f"{float(step):g}" for step in steps if price_bound(request, step) <= budget]
    finer = FINER.format(steps=",".join(open_steps)) if open_steps else ""
    yield HIGHEST.format(design=size_text(best), share=share_text(best), prices=prices_text(best)) + finer
    high = sized[0].values.get("cost_high_usd_per_node")
    if high is not None and round(100 * request.nodes * float(high)) > budget:
        yield ABOVE.format(price=price_text(high), limit=f"{request.usd_per_node(budget)} US$ per node")


def _least_throughput(row: Row) -> float:
    """Return the throughput of a design, that of the requested nodes if it is lower; nodes send at most their rate."""
    return min(1.0, *(float(row.values[key] or 0) for key in ("throughput", "throughput_requested")))


def price_text(value: Value) -> str:
    """Return a price per node as text."""
    return f"{column_named(PRICE).text(value)} US$ per node"


def prices_text(row: Row) -> str:
    """Return the price of a design per requested node and in all as text."""
    return f"{price_text(row.values[PRICE])}, {column_named(TOTAL).text(row.values.get(TOTAL))} US$ in all"


def proven_text(request: Request, best: Row, families: str) -> str:
    """Return what is proven of the price of the cheapest design, and what is not of that of some families."""
    assert best.least is not None  # of sized designs
    cents = price_bound(request, best.least)
    price, below = _bound_text(request, cents), _below(request, best, cents)
    return PROVEN.format(share=percent_of(best.least), price=price, below=below, families=families)


def _bound_text(request: Request, cents: int) -> str:
    return column_named(PRICE).text(cents // (100 * request.nodes))  # whole US$, rounded down: still a bound


def families_text(request: Request, also: str = "") -> str:
    """Return how many families are tried, with what else is, and that a search could be where there is none."""
    beside = TRY_SEARCH if request.search is None and is_searchable(request) else ""
    return f"{counted(len(request.families), 'family')}{also}{beside}"


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


def names_text(rows: Sequence[Row]) -> str:
    """Return what the sizes in the names of designs are, as the docstrings of their labels say; empty if none does."""
    families = [getattr(row.design.family, "plane", row.design.family) for row in rows if row.design is not None]
    said: dict[str, list[str]] = {}
    for name, kind in {family.name.replace("_", " "): type(family) for family in families}.items():
        meaning = kind.size_label.__doc__ or ""
        if kind.size_label is not Family.size_label and meaning:
            said.setdefault(meaning.removesuffix("."), []).append(name)
    texts = (f"{', '.join(names)}: {meaning[0].lower()}{meaning[1:]}" for meaning, names in said.items())
    return f"Names have the size of each plane. {'; '.join(texts)}." if said else ""


def export_line(row: Row, request: Request, folder: Path = Path()) -> str:
    """Return the command that exports a design, whose record is in a folder, with the parts of its price."""
    assert row.design is not None
    folders = config_folders() if request.own else []  # where the command finds the family of the design
    formats = ",".join((*FORMATS, "opensm") if row.values.get("opensm") else FORMATS)
    is_whole = request.nodes >= row.design.family.nodes or (row.existing and row.existing.is_direct)
    nodes = [] if is_whole else [f"nodes={request.nodes}"]
    return shlex.join(("isoplane", "export", *folders, f"record={folder / row.file}", *nodes, f"format=[{formats}]"))
