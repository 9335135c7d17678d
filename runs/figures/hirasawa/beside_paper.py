"""What the figures of switches with caches share: the switch of a config, the paper's numbers, and a page."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError, SwitchModel
from isoplane.models.checks import shown
from isoplane.models.workloads.npb import benchmark_names
from isoplane.runs.config.config_values import Config, choice_of
from isoplane.runs.drawing import block
from isoplane.runs.drawing.drawing import drawing_style, new_figure, picture
from isoplane.runs.drawing.panels import panels
from isoplane.runs.drawing.values import show_drawn
from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked, CheckedStatement, statement_table
from isoplane.runs.figures.figure import Figure
from isoplane.runs.published import Published, hirasawa_numbers
from isoplane.runs.records import switch_from
from isoplane.runs.report.page import page_text
from isoplane.runs.terminal.table import Table

STATEMENT_COLUMNS = ("statement", "ours", "verdict")
Ours = Mapping[tuple[str, int | None], Fraction]  # by metric and n of `Published`


def switches_of(data: Mapping[str, Any], *used: str) -> tuple[SwitchModel, SwitchModel]:
    """Return the switch of a config, which has a cache, and the same one without.

    Parameters
    ----------
    data
        The composed config.
    used
        The keys of the switch that the figure depends on, those of its cache after ``cache.``, or a group for all of
        its keys; others have no effect.
    """
    values = data["switch"]
    if values is None:
        raise InputError(f"switch=null: expected experiment=hirasawa/{data['figure']}, or a switch with a cache")
    switch = switch_from(values.plain() if isinstance(values, Config) else values)
    if switch.cache is None:
        raise InputError("switch.cache=null: expected a cache, with which the switch is compared")
    for name in used:
        part = values
        for key in name.split("."):
            part = part[key]  # noted as read
        if isinstance(part, Config):
            dict(part)
    return switch, replace(switch, cache=None)


def benchmarks_of(data: Mapping[str, Any]) -> list[str]:
    """Return the NAS benchmarks of a config, in alphabetical order; by default all."""
    values = data["benchmarks"]
    if values is None:
        return list(benchmark_names())
    if not isinstance(values, list) or not values:
        raise InputError(f"benchmarks={shown(values)}: expected a list of some of {', '.join(benchmark_names())}")
    return sorted({choice_of("benchmarks", value, benchmark_names()) for value in values})


def compared(sections: Sequence[str], ours: Ours) -> Iterator[CheckedStatement]:
    """Compare the numbers of the paper about some figures or sections with ours, as far as these are known."""
    for number in hirasawa_numbers():
        value = ours.get((number.metric, number.n))
        if number.figure in sections and value is not None:
            judged = AGREES if abs(value - number.value) <= number.precision else DIFFERS
            digits = f".{number.decimals + 2}f" if number.precision else "g"
            yield Checked(stated(number), f"{float(value):{digits}} {number.unit}".rstrip(), judged)


def stated(number: Published) -> str:
    """Return a number of the paper as a sentence."""
    metric = re.sub(r"\bn\b", str(number.n), number.metric)
    return f"{number.network}: {metric} is {float(number.value):g} {number.unit}".rstrip()


def figure_of(
    name: str,
    tables: Mapping[str, tuple[str, Table, str]],
    checked: Sequence[CheckedStatement],
    beside: Sequence[str],
    chart: tuple[Callable[[Sequence[Axes]], None], str],
    sentence: str,
    panel_count: int = 2,
) -> Figure:
    """Return a figure with its page.

    Parameters
    ----------
    name
        Its name, which the names of all files begin with.
    tables
        By what their names add to that of the figure: heading, table, and how to read it. The first has the points.
    checked
        The statements of the paper.
    beside
        What is said beside them.
    chart
        Draws on panels; and how to read them.
    sentence
        The result.
    panel_count
        Number of panels side by side.
    """
    draw_on, caption = chart
    published = statement_table(checked, STATEMENT_COLUMNS)
    with drawing_style():
        drawing = new_figure(3.8)
        draw_on(drawing.subplots(1, panel_count, squeeze=False)[0].tolist())
        show_drawn(drawing)
        blocks = [block.Block("figure", "Recomputed", [picture(drawing, name, caption, tables[""][1].with_names())])]
    parts: list[block.Part]
    for suffix, (heading, table, reading) in tables.items():
        parts = [block.Part.table(table.page_rows()), block.Text(reading, muted=True)]
        blocks.append(block.Block(f"table{suffix}", heading, parts))
    parts = [block.Part.table(published.page_rows()), *map(block.Text, beside)]
    blocks.append(block.Block("statements", "Beside the paper", parts))
    place = name.replace("fig", "Fig. ") if name.startswith("fig") else "Section 7.2"
    text: list[object] = [line for _, table, _ in tables.values() for line in (table, "")]
    text += [published, *(line for words in beside for line in ("", words))]
    written = {suffix: table for suffix, (_, table, _) in tables.items()}
    page = {f"{name}.html": page_text(f"{place} of Hirasawa, Yamaki and Koibuchi", sentence, [], blocks)}
    tables_written = {**written, "-published": published}
    return Figure(tables_written, lambda: _drawn(draw_on, panel_count), text, page, {"page": f"{name}.html"})


def _drawn(draw_on: Callable[[Sequence[Axes]], None], panel_count: int) -> Drawing:
    drawing, axes = panels(panel_count)
    draw_on(axes)
    return drawing
