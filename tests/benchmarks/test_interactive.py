"""The page with sliders in a browser: at positions drawn by seed it shows what `isoplane compare` finds there."""

import json
import random
import shlex
import subprocess
from contextlib import redirect_stdout
from io import StringIO

import pytest

from isoplane.runs.cli.main import main
from isoplane.runs.comparison.fronts import LOWER_IS_BETTER, PRICE, front
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import Row, sized_and_measured
from isoplane.runs.comparison.sizes.plane_counts import arrangements
from isoplane.runs.comparison.tables import size_text
from isoplane.runs.config.config_values import plain
from tests.benchmarks.test_pages import LAYOUT, WIDTHS, chromium, in_browser
from tests.runs.cli.conftest import composed_config
from tests.tools import HANG_S, require_tools

WORDS = (
    "families=[fat_tree,hyperx,torus,hypercube]", "failures=none", "layout.switches_per_rack=2",
    "layout.nodes_per_rack=8", "layout.pitch_across_m=3", "prices.ranges.optics=[0.25,2]",
)  # fmt: skip
PAGE = ("page=interactive", "page.nodes=[20]", "page.ports=[12]", "page.cable_m=[null,15,10]", "throughput=[0.9,0.5]")
POSITIONS = 50
# Moves all sliders to each of some positions, given as fractions of their ranges.
MOVES = """(page) => %s.map((shares) => {
  const inputs = [...page.document.querySelectorAll("#sliders input")];
  inputs.forEach((input, place) => {
    input.value = Math.floor(shares[place] * (Number(input.max) - Number(input.min) + 1)) + Number(input.min);
    input.dispatchEvent(new page.Event("input"));
  });
  const rows = [...page.document.querySelectorAll("#designs tbody tr")];
  return {
    sliders: inputs.map((input) => [input.value, input.getAttribute("aria-valuetext")]),
    command: page.document.getElementById("command").textContent,
    heading: page.document.querySelector("h1").textContent,
    names: rows.map((row) => row.cells[0].textContent),
    fronts: rows.map((row) => row.dataset.fronts.split(" ")),
    values: page.chosenRows().map((row) => [row.usd, row.delay_ns, row.throughput]),
    points: [...page.document.querySelectorAll("#charts svg")].map((chart) => chart.querySelectorAll("a").length),
  };
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a comparison with the page."""
    made = tmp_path_factory.mktemp("interactive") / "compared"
    with redirect_stdout(StringIO()):
        assert main(["compare", "nodes=24", "ports=8", *WORDS, *PAGE, "workers=1", f"hydra.run.dir={made}"]) == 0
    return made


@pytest.fixture(scope="module")
def shown(folder):
    """What the page shows at its beginning, and at the positions."""
    draws = random.Random(41)
    positions = [[draws.random() for _ in range(9)] for _ in range(POSITIONS)]
    for position in positions[::2]:
        position[4] = 1 - 1e-9  # any price: low ones leave few designs
    (found,) = in_browser(folder / "interactive.html", MOVES % json.dumps(positions), (1280,))
    return found


def compared(words):
    """The designs of a comparison, in its order: their values and names."""
    request = request_of(plain(composed_config("compare", *words)))
    found = []
    for arrangement in arrangements(request):
        (design,), values = sized_and_measured((arrangement, request))
        if not isinstance(design, str):
            found.append((values[design], size_text(Row(arrangement, request.throughputs[0], design, {}))))
    return sorted(found, key=lambda each: each[0][PRICE])


def test_designs_and_fronts_at_positions_drawn_by_seed_are_those_of_a_comparison(shown):
    sizes = set()
    for position in shown:
        program, verb, *words = shlex.split(position["command"])
        assert (program, verb) == ("isoplane", "compare")
        designs = compared(words)
        sizes.add(len(designs))
        numbered = [f"{number}  {name}" for number, (_, name) in enumerate(designs, start=1)]
        assert position["names"] == numbered
        assert position["values"] == [[row[PRICE], row["delay_ns"], row["throughput"]] for row, _ in designs]
        assert position["points"] == [len(designs)] * 2
        assert (f": {designs[0][1]}, at " in position["heading"]) if designs else ("No family" in position["heading"])
        values = {index: row for index, (row, _) in enumerate(designs)}
        for metric, mark in (("delay_ns", "delay"), ("throughput", "throughput")):
            best = {index for index, fronts in enumerate(position["fronts"]) if mark in fronts}
            assert best == set(front(list(values), values, metric))
    assert min(sizes) == 0 < 5 < max(sizes)
    assert LOWER_IS_BETTER.keys() == {"delay_ns", "throughput"}


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


def test_the_page_is_small_loads_nothing_and_fits_every_screen(folder):
    page = folder / "interactive.html"
    assert page.stat().st_size < 10e6
    for layout, width in zip(in_browser(page, LAYOUT, WIDTHS), WIDTHS, strict=True):
        assert layout == {"requests": [], "width": width, "excess": 0, "unmarked": 0}


def test_on_paper_the_page_shows_its_position(folder):
    pdf, text = folder / "page.pdf", folder / "page.txt"
    chromium("--no-pdf-header-footer", f"--print-to-pdf={pdf}", (folder / "interactive.html").as_uri())
    subprocess.run([require_tools("pdftotext")["pdftotext"], "-layout", pdf, text], check=True, timeout=HANG_S)
    words = text.read_text(encoding="utf-8").split()
    at_first = [name for _, name in compared(("nodes=24", "ports=8", "throughput=0.9", *WORDS))]
    assert at_first
    for name in (*at_first, "isoplane compare nodes=24 ports=8 throughput=0.9"):
        assert set(name.split()) <= set(words)
    assert words.count("any") >= 2  # cables and prices
    assert "".join(words).count("×1") == 4  # prices of classes of parts
