"""Comparisons: a row for each design."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any, cast, overload

from isoplane.models import Design, Family, InputError
from isoplane.models.families import name_of_family
from isoplane.runs.cli.keywords import config_from, with_options
from isoplane.runs.comparison.charts import PANELS
from isoplane.runs.comparison.compared_design import ComparedDesign
from isoplane.runs.comparison.conclusions import conclusions, sentence
from isoplane.runs.comparison.existing import existing_designs, existing_in
from isoplane.runs.comparison.fronts import PRICE
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.request import Request, request_of
from isoplane.runs.comparison.rows import Row as DesignRow
from isoplane.runs.comparison.rows import compare as compared_rows
from isoplane.runs.comparison.tables import FIRST, SUMMARY, assumptions, flat_row, json_text, saved_cells
from isoplane.runs.config.setup import fleet_of
from isoplane.runs.folder.sweep_table import cells_of_comparison
from isoplane.runs.inputs.named_families import left_out_families
from isoplane.runs.records import Record, design_content
from isoplane.simulator.measure.sweep import sequential_map

from .designs import Source, Value, design_result, record_of_design, source_of
from .panels import COMPARED, Panel, Row, cell_of, metric_panel
from .result import Result
from .waiting import shown_while, timed, waiting_place

SHOWN = tuple(dict.fromkeys(["design", *FIRST, *SUMMARY]))
DESIGNS = "designs"  # key of what defines the designs of the rows, in order
LEFT_OUT = "Not compared: {names}, of this program; families=[...] takes their names or classes"


@with_options("compare", "resume", "columns", "format")
def compare(
    **options: Value | Source | Sequence[Source] | Mapping[str, Source] | type[Family] | Sequence[str | type[Family]],
) -> Result:
    """Size families for a number of nodes and measure their designs, as `isoplane compare` does.

    Parameters
    ----------
    options
        Those of `isoplane compare`, but for ``resume``; ``existing`` has files, or results and designs as `evaluate`
        takes them, in a list, or by names in a mapping, and ``families`` names, or classes of families. Without
        ``workers`` there is one, in this process; more are processes, which need a script that is guarded by
        ``if __name__ == "__main__"``.

    Returns
    -------
    Result
        The designs, the cheapest one first of those with the highest throughput; iterating yields each as a design.

    Examples
    --------
    >>> import isoplane as ip
    >>> found = ip.compare(nodes=32, ports=8, throughput=0.5, families=["hyperx", "fat_tree"], failures="none")
    >>> found.rows[0]["family"], found[0].design.network.nodes >= 32
    ('hyperx', True)
    """
    given = options.get("existing")
    named = cast(Mapping[str, Source], given if isinstance(given, Mapping) else {})
    listed = list(given) if isinstance(given, (list, tuple)) else [] if given is None or named else [given]
    files = [each for each in listed if isinstance(each, (str, PathLike))]
    unnamed = cast(list[Source], [each for each in listed if not isinstance(each, (str, PathLike))])
    made = list(named.values()) or unnamed
    if "families" in options:
        options = {**options, "families": _names_of(options["families"])}
    config, words = config_from("compare", {**options, "existing": files or None} if made else options)
    workers = config["workers"] or 1
    families = [each if isinstance(each, Family) else source_of(each, config).design.network.family for each in made]
    existing = (*existing_in(config["existing"]), *existing_designs(families, list(map(str, named))))
    request = request_of(config, existing)
    rows, texts = tuple[DesignRow, ...](), ["comparison"]
    with (
        fleet_of(config.replaced(workers=workers), processes=workers != 1) as fleet,
        shown_while(timed(lambda: texts[-1]), waiting_place()),
    ):
        config.require_effects(words)
        # A single worker is this thread, where Ctrl-C ends a call.
        for text, ended in compared_rows(request, sequential_map if workers == 1 else fleet.map, existing):
            texts.append(text)
            rows = ended or rows
    chosen = [row for row in rows if row.design is not None]
    if not chosen:
        raise InputError(conclusions(request, rows)[-1])
    without = _without(rows)
    if config["families"] is None and (names := left_out_families()):
        without.append(LEFT_OUT.format(names=", ".join(names)))
    flat, designs = [flat_row(row) for row in chosen], [partial(_design_of_row, request, row) for row in chosen]
    return Result(
        COMPARED,
        f"{request.nodes:,} nodes, switches of {request.ports} ports",
        flat,
        SHOWN,
        lambda: {**json.loads(json_text(request, rows)), DESIGNS: [_content_of(design()) for design in designs]},
        lambda: _price_panels(flat),
        lambda: page(request, rows),
        sentence(request, rows),
        (*without, *conclusions(request, rows), *assumptions(request, rows)),
        members=comparison_designs(designs),
    )


def _without(rows: Sequence[DesignRow]) -> list[str]:
    """Return why families have no design, in a line for each reason; what differs between families is left out."""
    reasons: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.design is None:
            reasons.setdefault(row.reason.partition(";")[0], {}).setdefault(row.arrangement.title, row.reason)
    return [
        f"no {next(iter(named))}: {next(iter(named.values()))}"
        if len(named) == 1
        else f"{reason}: {'; '.join(named)} (to_dict() has the nearest sizes)"
        for reason, named in reasons.items()
    ]


def _names_of(families: object) -> Any:
    """Return families with the names of those that are classes."""
    if isinstance(families, (list, tuple)):
        return [_names_of(family) for family in families]
    if isinstance(families, type) and issubclass(families, Family):
        return name_of_family(f"families={families.__name__}", families)
    return families


def comparison_in(
    content: Mapping[str, Any], designs: Sequence[Callable[[], Design]], page: Callable[[], str]
) -> Result:
    """Return a comparison that was written as JSON.

    Parameters
    ----------
    content
        The content of ``comparison.json``.
    designs
        Functions that return the designs of its rows, of those that have one.
    page
        Returns its page.
    """
    rows = [row for row in cells_of_comparison(content) if "design" in row]
    flat = [{name: cell_of(value) for name, value in cells.items()} for cells in saved_cells(rows)]
    request = content["request"]
    return Result(
        COMPARED,
        f"{request['nodes']:,} nodes, switches of {request['ports']} ports",
        flat,
        SHOWN,
        lambda: {**content, DESIGNS: [_content_of(design()) for design in designs]},
        lambda: _price_panels(flat),
        page,
        members=comparison_designs(designs),
    )


def comparison_designs(designs: Sequence[Callable[[], Design]]) -> Sequence[Result]:
    """Return designs as results, which are made, with all their metrics, when they are asked for."""
    return _Designs(designs)


@dataclass(frozen=True)
class _Designs(Sequence[Result]):
    """The sequence of `comparison_designs`."""

    designs: Sequence[Callable[[], Design]]

    def __len__(self) -> int:
        return len(self.designs)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return design_of(self.designs[index]())


def _design_of_row(request: Request, row: DesignRow) -> Design:
    assert row.design is not None  # of the chosen ones
    return Design(ComparedDesign(row.arrangement, row.least, row.design, request).network)


def _content_of(design: Design) -> Record | None:
    """Return what defines a design in records; None for a family of a package that has no form in them."""
    try:
        return design_content(design)
    except InputError:
        return None


def design_of(design: Design) -> Result:
    """Return a design that was made in Python, or sized, as a result."""
    return design_result(design, lambda: record_of_design(design, None, {}))


def _price_panels(rows: Sequence[Row]) -> tuple[Panel, ...]:
    """Return the price of each design against its delay, and against its throughput."""
    panels = (metric_panel(rows, (PRICE, metric), None)[2] for metric, _ in PANELS)
    return tuple(("price (US$ per node)", title, series) for (_, title), series in zip(PANELS, panels, strict=True))
