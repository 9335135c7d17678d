"""What searches of several sizes found, measured and priced as `isoplane compare` does: the cheapest design first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

from isoplane.models.families.host_graph import HostGraph
from isoplane.models.files.exact_text import counted
from isoplane.objectives.scoring.sums import EXCESS
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.records import misses_limits, proof_status
from isoplane.runs.terminal.table import Table

from .conclusions import export_line, policy_text, price_text, proven_text, share_text
from .existing import Existing, existing_in
from .fronts import PRICE
from .request import Request
from .rows import Row, sized_and_measured
from .sizes.price_bound import price_bound
from .sizes.sized_design import DIGITS, SizedDesign
from .sizes.throughputs import requested_throughput
from .tables import assumptions, column_named

COLUMNS = (PRICE, "aspl", "throughput", "diameter", "switches")
CHEAPEST = "Cheapest: {design}, at {price}, with {aspl} hops on average and {share} of the rate of a node{policy}."
NO_DESIGN = "No design meets all limits."
ASPL_ALONE = "{design} was searched for the shortest paths, not for throughput, and has {share} of the rate of a node; \
the cheapest with 90 %: isoplane search nodes={nodes} ports={ports} planes={planes} network={family} throughput=0.9"
LIMITS = "Limits are those of each search: its price per node is per place of a node, with its own layout and prices."
SHARES = "Throughput is all-to-all, in percent of the rate of all links of a node, with a node at each place."

COST = "cost"  # component of a score

Run = Mapping[str, Any]  # as of `sweep_rows`
Found = tuple[Run, Row]


def found_sizes(request: Request, folder: Path, runs: Sequence[Run], asked: Fraction | None = None) -> list[Found]:
    """Return the runs that found a design with its row, those that meet all limits first, by price and then ASPL.

    A search by price without a bound has that of any network, of which `proven_text` tells, in its status.

    Parameters
    ----------
    request
        The nodes, the ports and the site, by which they are priced.
    folder
        The folder in which the runs have theirs.
    runs
        Those of `sweep_rows`.
    asked
        The throughput for which networks were searched, if any: rows have it in place of more.
    """
    found = [(run, _row(request, folder, run, asked)) for run in runs if "family" in run]
    return sorted(((_with_bound(request, *each, asked), each[1]) for each in found), key=_order)


def _with_bound(request: Request, run: Run, row: Row, asked: Fraction | None) -> Run:
    """Return a run that met its limits with what is proven of its price, where nothing but a comparison bounds it."""
    names, bound = run["score_names"], run["bound"]
    if row.least is None or asked is None or not is_price_alone(names, run["score"], bound):
        return run
    cents = round(100 * request.nodes * float(row.values[PRICE] or 0))
    score, proven = [*run["score"][:-1], cents], [*bound[:-1], price_bound(request, row.least)]
    return {**run, "words": proof_status(names, score, proven)}


def is_price_alone(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None]) -> bool:
    """Whether a score is a price within limits that are met, which nothing bounds but that of any network."""
    return names[-1] == COST and bound[-1] is None and not misses_limits(names, score)


def _order(found: Found) -> tuple[bool, bool, float, float]:
    run, row = found
    return order_of(row, meets_limits=not misses_limits(run["score_names"], run["score"]))


def order_of(row: Row, *, meets_limits: bool) -> tuple[bool, bool, float, float]:
    """Return what sorts designs: those that meet all limits first, then by price, then by ASPL."""
    price, aspl = (float(row.values.get(key) or 0) for key in (PRICE, "aspl"))
    return not meets_limits, row.design is None, price, aspl


def _row(request: Request, folder: Path, run: Run, asked: Fraction | None) -> Row:
    file = f"{run['run']}/{RECORDS}/{run['record']}"
    (source,) = existing_in(str(folder / file))
    row = priced_row(request, source, file)
    return row if asked is None or row.least is None else replace(row, least=min(row.least, asked))


def priced_row(request: Request, source: Existing, file: str = "") -> Row:
    """Return a design with its numbers as of a comparison, or why it has none, and the file of its record."""
    (design,), measured = sized_and_measured((source, request))
    if not isinstance(design, SizedDesign):
        return Row(source, None, None, {}, design.text, file=file)
    return Row(source, _share(request, design), design, measured[design][0], file=file)


def _share(request: Request, design: SizedDesign) -> Fraction:
    """Return the throughput that a design has, full and with the requested nodes alone, rounded down."""
    requested = requested_throughput(design.family, request.nodes, request.node_ports)
    return Fraction(floor(DIGITS * min(Fraction(1), design.throughput, requested)), DIGITS)


def table_of_sizes(found: Sequence[Found]) -> Table:
    """Return the chief numbers of `found_sizes`, what tells the designs apart and decides between them first."""
    columns = [column_named(key) for key in COLUMNS]
    rows = [
        [run["title"], row.reason or run["words"], *(column.text(row.values.get(column.key)) for column in columns)]
        for run, row in found
    ]
    names = ["design", "status", *(column.title for column in columns)]
    return Table(names, rows, range(2, len(names)), ["", "", *(column.short_unit for column in columns)])


def conclusions_of_sizes(request: Request, found: Sequence[Found], folder: Path, is_of_throughput: bool) -> list[str]:
    """Return the answer, the cheapest design, and what to know of it; last the command that exports it.

    Parameters
    ----------
    request, found
        As of `found_sizes`.
    folder
        The folder of the runs, as commands name it.
    is_of_throughput
        Whether networks were searched for the lowest price with a throughput.
    """
    notes = [*assumptions(request), SHARES]
    sizes = {"nodes": request.nodes, "ports": request.ports, "planes": request.node_ports}
    notes += [LIMITS] if any(EXCESS in run["score_names"] for run, _ in found) else []
    notes += [
        ASPL_ALONE.format(design=run["title"], share=share_text(row), family=run["family"], **sizes)
        for run, row in found
        if run["family"] == HostGraph.name and row.least is not None and row.least < 1 and not is_of_throughput
    ]
    if not found or found[0][1].least is None or misses_limits(found[0][0]["score_names"], found[0][0]["score"]):
        return [NO_DESIGN, *notes]
    run, best = found[0]
    price, aspl = price_text(best.values[PRICE]), column_named("aspl").text(best.values["aspl"])
    named = {"share": share_text(best), "policy": policy_text(best)}
    answer = CHEAPEST.format(design=run["title"], price=price, aspl=aspl, **named)
    proven = proven_text(request, best, counted(len({each["family"] for each, _ in found}), "family"))
    return [answer, proven, *notes, f"next: {export_line(best, request, folder)}"]
