"""The benchmark of plane policies: its table, which is that of the documentation, and its goals."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import for_each

PAGE = Path(__file__).parents[2] / "docs" / "simulator.md"


@pytest.fixture(scope="module")
def script(import_script):
    return import_script("policies")


def table_rows(lines):
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]


def test_a_table_has_a_line_for_each_network_and_is_written_into_the_page(script, monkeypatch, capsys, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- policies:begin -->\n<!-- policies:end -->\n")
    monkeypatch.setattr(script, "PAGE", page)
    words = ("--only", "torus", "--packets", "1", "--evaluations", "20000", "--workers", "1", "--write")
    monkeypatch.setattr(sys, "argv", ["policies", *words])
    assert script.main() == 0
    printed = capsys.readouterr().out.splitlines()
    assert page.read_text().splitlines()[1:-1] == printed
    head, _, (title, hops, *cells) = table_rows(printed)
    assert (title, hops.split(" / ")[1]) == ("torus 6x6", "3.000")
    found = dict(zip(head[2:], map(float, cells), strict=True))
    # So few packets measure the gains roughly: enough to tell which policies keep them.
    assert found["nearest"] > 1.3
    assert found["spill"] > 1.3
    assert found["spray"] == pytest.approx(1, abs=0.05)
    assert found["lone pair, spray"] == 2


def test_the_page_has_a_line_for_each_network_of_the_benchmark(script):
    begin, end = (f"<!-- policies:{edge} -->" for edge in ("begin", "end"))
    _, _, *rows = table_rows(PAGE.read_text().split(begin)[1].split(end)[0].splitlines())
    titles = [family.title for family in script.PLANES.values()]
    titles += [f"{network.title}, linear" for network in script.CUBES.values()]
    assert [row[0] for row in rows] == titles
    assert all(name.startswith(family.name) for name, family in script.PLANES.items())


@for_each(
    ("changed", "reached"),
    [
        ({}, True),
        ({"saturation": {"nearest": 1.3, "spray": 1, "spill": 1.25}}, False),
        ({"saturation": {"nearest": 1.3, "spray": 1.1, "spill": 1.3}}, False),
        ({"ports": {"spill": 1.8}}, False),
    ],
)
def test_a_missed_goal_is_noticed(script, changed, reached):
    row = script.Row("cubes", 2, 3, 1.3, None, {"nearest": 1.3, "spray": 1, "spill": 1.28}, {}, {"spill": 1.95})
    assert replace(row, **changed).reaches_goals == reached
