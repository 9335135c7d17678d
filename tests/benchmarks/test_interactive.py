"""The page with sliders in a browser: at positions drawn by seed it shows what `isoplane compare` finds there."""

import json
import random
import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import pytest

from isoplane.runs.cli.main import main
from isoplane.runs.comparison.conclusions import conclusions, without_text
from isoplane.runs.comparison.fronts import LOWER_IS_BETTER, PRICE, front
from isoplane.runs.comparison.interactive.offers import offers
from isoplane.runs.comparison.kept_calls import kept_calls
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import Row, sized_and_measured
from isoplane.runs.comparison.sizes.plane_counts import arrangements
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.tables import size_text
from isoplane.runs.config.config_values import plain
from isoplane.runs.folder.journal import Journal
from isoplane.runs.terminal.codes import NOTHING_FEASIBLE
from tests.runs.cli.conftest import composed_config

POSITIONS, VERB_POSITIONS = 50, 3
# Moves all sliders to each of some positions, given as fractions of their ranges.
MOVES = """(positions) => positions.map((shares) => {
  const inputs = [...document.querySelectorAll("#sliders [type=range]")];
  inputs.forEach((input, place) => {
    input.value = Math.floor(shares[place] * (Number(input.max) - Number(input.min) + 1)) + Number(input.min);
    input.dispatchEvent(new Event("input"));
  });
  const began = performance.now();
  redraw();
  document.body.getBoundingClientRect();
  const took = performance.now() - began;
  const [rows, without] = ["#designs", "#without"].map((box) => [...document.querySelectorAll(`${box} tbody tr`)]);
  const charts = [...document.querySelectorAll("#charts svg")];
  return {
    sliders: inputs.map((input) => [input.value, input.getAttribute("aria-valuetext")]),
    fields: [...document.querySelectorAll("#sliders [type=number]")].map((field) => field.value),
    command: document.getElementById("command").textContent,
    heading: document.querySelector("h1").textContent,
    names: rows.map((row) => row.cells[0].textContent),
    nodes: rows.map((row) => row.cells[1 + COLUMNS.findIndex(([title]) => title === "nodes")].textContent),
    fronts: rows.map((row) => row.dataset.fronts.split(" ")),
    rounded: number(1.0625, 3),
    took,
    values: chosenRows()[0].map((row) => [row.usd, row.delay_ns, row.throughput]),
    points: charts.map((chart) => chart.querySelectorAll("a").length),
    lines: charts.map((chart) => chart.querySelectorAll(".limit").length),
    words: charts.map((chart) => chart.textContent.includes(NO_DESIGN)),
    nearest: document.getElementById("nearest").textContent,
    without: without.map((row) => [...row.cells].map((cell) => cell.textContent)),
    tables: [...document.querySelectorAll("table:not([hidden] *)")].map((table) => table.tBodies[0].rows.length),
    design: document.querySelector("#design pre")?.textContent,
  };
})"""


@pytest.fixture(scope="module")
def shown(browser, address):
    """What the page shows at the positions."""
    draws = random.Random(46)
    positions = [[draws.random() for _ in range(9)] for _ in range(POSITIONS)]
    for position in positions[::2]:
        position[4] = 1 - 1e-9  # any price: low ones leave few designs
    tab = browser.new_page()
    tab.goto(address)
    found = tab.evaluate(MOVES, positions)
    tab.close()
    return found


def compared(words):
    """The request and the designs of a comparison, and the rows without one, in its order.

    Without sizes whose more nodes cost less in all, which are no offers of the page.
    """
    request = request_of(plain(composed_config("compare", *words)))
    (least,), found, without = request.throughputs, [], []
    for arrangement in arrangements(request):
        (sized,), values = sized_and_measured((arrangement, request))
        design = replace(sized, larger=None)
        if isinstance(design, SizedDesign):
            found.append(Row(arrangement, least, design, values[sized][0]))
        else:
            without.append(Row(arrangement, least, None, {}, design.text, miss=design))
    by_price = sorted(found, key=lambda row: row.values[PRICE])
    return request, by_price, sorted(without, key=lambda row: row.miss.order)


def said(position):
    """What a page says where there is no design."""
    return f"{position['heading']}. {position['nearest']}".replace("\u00a0", " ").strip()


def test_designs_and_fronts_at_positions_drawn_by_seed_are_those_of_a_comparison(shown):
    sizes, broken = set(), set()
    for position in shown:
        program, verb, *words = shlex.split(position["command"])
        assert (program, verb) == ("isoplane", "compare")
        request, designs, without = compared(words)
        sizes.add(len(designs))
        numbered = [f"{number}  {size_text(row)}" for number, row in enumerate(designs, start=1)]
        numbers = [row.values for row in designs]
        assert position["names"] == numbered
        assert position["nodes"] == [f"{row['nodes']:,}" for row in numbers]
        assert position["values"] == [[row[PRICE], row["delay_ns"], row["throughput"]] for row in numbers]
        assert position["points"] == [len(designs)] * 2
        assert (
            f": {size_text(designs[0])}, at " if designs else without_text(request, without, without[0].least)
        ) in said(position)
        assert not designs or position["nearest"] == " ".join(conclusions(request, designs))
        assert position["without"] == [[row.arrangement.title, row.reason] for row in without]
        broken |= {row.miss.limits for row in without}
        values = dict(enumerate(numbers))
        for metric, mark in (("delay_ns", "delay"), ("throughput", "throughput")):
            best = {index for index, fronts in enumerate(position["fronts"]) if mark in fronts}
            assert best == set(front(list(values), values, metric))
    assert min(sizes) == 0 < 5 < max(sizes)
    assert broken == {("price",), ("cable",), ("price", "cable"), ("throughput",), ()}
    assert {position["rounded"] for position in shown} == {f"{1.0625:.3f}"}
    assert LOWER_IS_BETTER.keys() == {"delay_ns", "throughput"}


# What the page says of its designs if only some have tables for OpenSM, at their prices or all at one.
TABLES = """([tables, isOnePrice]) => {
  const [rows] = chosenRows();
  rows.forEach((row, place) => {
    row.design = { ...row.design, opensm: tables[place] };
    if (isOnePrice) row.usd = rows[0].usd;
  });
  return opensmText(rows);
}"""


def test_a_page_says_of_tables_for_opensm_what_a_comparison_says(tab):
    request, designs, _ = compared(shlex.split(tab.inner_text("#command"))[2:])
    for tables in product((0, 1), repeat=len(designs)):
        for is_one_price in (False, True):
            prices = [designs[0 if is_one_price else place].values[PRICE] for place in range(len(designs))]
            rows = [
                replace(row, values={**row.values, "opensm": able, PRICE: price})
                for row, able, price in zip(designs, tables, prices, strict=True)
            ]
            said_of_tables = conclusions(request, rows)[1:]
            assert tab.evaluate(TABLES, [tables, is_one_price]) == "".join(said_of_tables)
            assert len(said_of_tables) == (not tables[0])


def test_charts_without_a_design_say_so_in_words_and_have_the_limits(shown):
    empty = [position for position in shown if not position["names"]]
    for position in shown:
        assert 0 not in position["tables"]
        assert position["words"] == [position in empty] * 2
    assert len(empty) > 1
    for position in empty:
        lines = int("budget_usd_per_node=" in position["command"])
        assert position["lines"] == [lines, lines + 1]  # the highest price, and in one chart the least throughput


def test_what_a_page_says_without_a_design_is_what_the_verb_prints(shown, tmp_path):
    empty = [position for position in shown if not position["names"]]
    for number, position in enumerate(empty[:VERB_POSITIONS]):
        _, verb, *words = shlex.split(position["command"])
        with redirect_stdout(StringIO()) as out:
            assert main([verb, *words, "workers=1", f"hydra.run.dir={tmp_path / str(number)}"]) == NOTHING_FEASIBLE
        lines = out.getvalue().splitlines()
        assert said(position) in lines
        printed = [line.removeprefix("no ").split(": ", 1) for line in lines if line.startswith("no ")]
        assert position["without"] == printed
    assert len(empty) >= VERB_POSITIONS


def test_designs_at_some_positions_are_those_that_the_verb_writes(shown, tmp_path):
    limited = [position for position in shown if len(position["names"]) > 1 and "cable_m=" in position["command"]]
    for number, position in enumerate(limited[:VERB_POSITIONS]):
        _, verb, *words = shlex.split(position["command"])
        with redirect_stdout(StringIO()):
            assert main([verb, *words, "workers=1", f"hydra.run.dir={tmp_path / str(number)}"]) == 0
        rows = json.loads((tmp_path / str(number) / "comparison.json").read_text(encoding="utf-8"))["rows"]
        designs = [row for row in rows if "design" in row]
        assert position["names"] == [f"{place}  {row['design']}" for place, row in enumerate(designs, start=1)]
        assert [usd for usd, *_ in position["values"]] == [row["values"][PRICE] for row in designs]
    assert len(limited) >= VERB_POSITIONS


def test_the_command_of_a_design_writes_its_record_and_says_how_to_export_it(shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    position = next(position for position in shown if position["names"])
    _, verb, *words = shlex.split(position["design"])
    with redirect_stdout(StringIO()) as out:
        assert main([verb, *words]) == 0
    rows = json.loads(Path("chosen/comparison.json").read_text(encoding="utf-8"))["rows"]
    assert position["names"][0].partition("  ")[2] in [row.get("design") for row in rows]
    _, following, *options = shlex.split(out.getvalue().splitlines()[-1].removeprefix("next: "))
    with redirect_stdout(StringIO()) as out:
        assert main([following, *options, "hydra.run.dir=files"]) == 0
    assert (tmp_path / "files" / "cabling" / "materials.csv").exists()


def test_every_slider_says_its_value_and_sets_an_option(shown):
    for place, word in enumerate(("nodes", "ports", "throughput", "cable_m", "budget_usd_per_node")):
        values = {tuple(position["sliders"][place]) for position in shown}
        assert len(values) > 1
        for value, text in values:
            commands = {position["command"] for position in shown if position["sliders"][place][0] == value}
            first = text.replace(",", "").split()[0]
            assert all((f" {word}={first} " in f"{command} ") != (text == "any") for command in commands)
    for place, name in enumerate(("switch", "nic", "copper", "optics"), start=5):
        for position in shown:
            multiple = position["sliders"][place][1].removeprefix("× ")
            assert (f"{name}:{multiple}" in position["command"]) == (multiple != "1")


def test_the_field_of_every_slider_has_its_number(shown):
    for position in shown:
        texts = [text.removeprefix("× ").replace(",", "").partition(" ")[0] for _, text in position["sliders"]]
        assert position["fields"] == ["" if text == "any" else text for text in texts]
    assert {field for position in shown for field in position["fields"]} > {""}


def test_a_page_is_of_at_most_10_mb_and_is_redrawn_in_less_than_100_ms(address, shown):
    assert Path(address.removeprefix("file://")).stat().st_size < 1e7
    assert median(position["took"] for position in shown) < 100


def test_what_was_found_before_an_interruption_is_kept(tmp_path):
    request = request_of(plain(composed_config("compare", "nodes=24", "ports=8", "families=[hyperx]")))
    jobs = [(arrangement, (request, (None, 10_000))) for arrangement in arrangements(request)]
    fleet = SimpleNamespace(map=lambda function, rest: enumerate(map(function, rest)))
    found = list(kept_calls(fleet, Journal(tmp_path / "calls.jsonl"), offers, jobs))
    idle = SimpleNamespace(map=lambda function, rest: enumerate(rest[1:]))
    kept = list(kept_calls(idle, Journal(tmp_path / "calls.jsonl"), offers, jobs))
    assert json.dumps(kept) == json.dumps(found)
    assert len(kept) == len(jobs)
