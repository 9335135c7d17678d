"""The live line stays in one row and shows how close a search is to its end; a silent command says that it is alive."""

import re
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile

import pytest

from isoplane.models import InputError, Site
from isoplane.models.steps import Step, step
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.cli import search
from isoplane.runs.cli.main import main
from isoplane.runs.terminal import heartbeat, live_line
from isoplane.runs.terminal.heartbeat import beating
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.runs.terminal.progress import ProgressLine
from isoplane.search import ConnectionSets, Limits, Progress
from isoplane.search.core.forecast import Forecast
from tests.cases import for_each

from .conftest import HANG_S, run_in_child
from .terminals import Terminal

TEXT = "   0.5 s  best aspl 3.125  gap 0.5 %  29 s left  2.00 M/s  1e+06 evaluations"  # 76 columns
SEARCH = ("search", "network.n=8", "strategy=portfolio", "workers=2", "stop.evaluations=700000")
SIMULATE = (
    "simulate",
    "network=hypercube",
    "network.n=3",
    "network.generators=identical",
    "loads=[0.1]",
    "saturation=false",
)
ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
NETWORK = ConnectionSets(8, site=Site(layout=None)).identical
PROGRESS = Progress(2_000_000, (), seconds=10.0, improved_at=5, score=(800,), network=NETWORK, bound=(796,))
FORECAST = Forecast(1440.0, 360.0)


def run_with_frequent_updates(*arguments):
    """Run a command that updates its live line at every opportunity, and shows no heartbeat when that has ended."""
    heartbeat.FIRST_S = HANG_S
    live_line.TERMINAL_INTERVAL_S = 0
    run_in_child(*arguments)


@contextmanager
def live_line_on(columns, monkeypatch):
    """A live line in this process, on a terminal with the given number of columns."""
    with Terminal(columns) as terminal, terminal.path.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        yield LiveLine(), terminal


def live_rows(terminal):
    """The rows before the last message of a search, which says what to do next and may be wider than the terminal."""
    return list(takewhile(lambda row: not row.startswith("next: "), terminal.rows))


@for_each(
    ("words", "columns", "expected"),
    [
        (SEARCH, 60, "best aspl_and_traffic 8"),
        (SIMULATE, 24, " s"),
    ],
)
def test_a_command_shows_one_live_row_and_nothing_wider_than_the_terminal(forking, tmp_path, words, columns, expected):
    with Terminal(columns) as terminal:
        process = forking.Process(
            target=run_with_frequent_updates, args=(tmp_path, tmp_path / "out", terminal.path, words)
        )
        process.start()
        try:
            while process.is_alive():
                terminal.read()
                assert len(live_rows(terminal)) == 1
            terminal.read()
        finally:
            process.kill()
            process.join()
        assert process.exitcode == 0, terminal.rows
        (row,) = live_rows(terminal)
        assert expected in row
        assert len(terminal.texts) > 2
        commands = re.compile("next: |to search on: ")
        assert all(len(text) < columns for text in terminal.texts if not commands.search(text))


def test_a_line_that_is_too_wide_loses_its_last_parts_but_no_part_of_a_number(monkeypatch):
    with live_line_on(80, monkeypatch) as (line, terminal):
        for columns in (*range(79, 8, -5), 50, 80):  # narrowed again and again, then widened
            terminal.resize(columns)
            line.show(TEXT)
            terminal.read()
            (row,) = terminal.rows
            parts = row.split("  ")
            assert len(row) < columns
            assert parts == TEXT.split("  ")[: len(parts)]
            assert len(row) == len(TEXT) or len("  ".join(TEXT.split("  ")[: len(parts) + 1])) >= columns


@for_each(
    ("columns", "text", "shown"),
    [
        (20, "網" * 15, "網" * 9),  # two columns each
        (40, "網" * 15, "網" * 15),
        (12, "e\u0301" * 11, "e\u0301" * 11),  # an accent has no width
        (12, "one\ntwo\x1b[2J", "one\\ntwo\\x1"),  # control characters are escaped
        (0, TEXT * 2, TEXT),  # a terminal that does not report its width is taken to have 80 columns
    ],
)
def test_characters_take_as_many_columns_as_the_terminal_gives_them(monkeypatch, columns, text, shown):
    with live_line_on(columns or 200, monkeypatch) as (line, terminal):
        terminal.resize(columns)
        line.show(text)
        terminal.read()
        assert terminal.texts == [shown]
        assert len(terminal.rows) == 1


def test_closing_a_live_line_ends_its_row(monkeypatch):
    with live_line_on(80, monkeypatch) as (line, terminal):
        line.show(TEXT)
        line.close()
        line.close()
        print("the end", file=sys.stderr, flush=True)
        terminal.read()
        assert terminal.rows == [TEXT, "the end"]


def test_an_error_starts_a_row_of_its_own(tmp_path, monkeypatch):
    def solve(space, *_, watch, **options):
        watch(Progress(1000, (), seconds=0.5, improved_at=5, score=(800, 100), network=space.identical))
        raise InputError("seed=1: expected any other")
        yield

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(search, "solve", solve)
    with live_line_on(80, monkeypatch) as (_, terminal):
        assert main(["search", "network.n=8"]) == 2
        terminal.read()
        live, error = terminal.rows
        assert live.startswith("   0.5 s  best aspl_and_traffic ")
        assert error == "isoplane search: seed=1: expected any other"


def test_the_line_shows_the_gap_the_time_left_and_the_rate_in_a_unit_that_fits():
    line = ProgressLine(ASPL, Limits(seconds=60), 2, interactive=False).line
    assert line(PROGRESS) == (
        "  10.0 s  best aspl 3.125  gap 0.50 %  50 s left  200.0 k/s with 2 workers  2e+06 evaluations"
    )
    for evaluations, rate in ((10_000_000, "1.00 M/s"), (10_000, "1.0 k/s"), (352, "35.2 /s")):  # in 10 s
        assert f"  {rate} with 2 workers  {evaluations:.3g} e" in line(replace(PROGRESS, evaluations=evaluations))


def test_every_component_has_its_gap_in_the_line():
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    line = ProgressLine(objective, Limits(), interactive=False).line
    bounded = replace(PROGRESS, score=(80000, 29248000), bound=(80000, 21056000))
    assert "  best aspl_and_traffic 80000  gap ASPL x load 0.00 %, cables 28.01 %  " in line(bounded)
    assert "  gap ASPL x load unknown, cables 28.01 %  " in line(replace(bounded, bound=(None, 21056000)))
    front = Lexicographic("front", (("sum_of_distances", "max_load"),), CUBES, front=("sum_of_distances", "max_load"))
    assert "gap" not in ProgressLine(ASPL, Limits(), interactive=False).line(replace(PROGRESS, bound=(None,)))
    assert "gap" not in ProgressLine(front, Limits(), interactive=False).line(PROGRESS)


@for_each(
    ("searched", "left", "complete", "expected"),
    [
        (1 / 73, FORECAST, False, "1.37 % searched; about 0.4 core-hours left (0.3 to 0.5)"),
        (0.0, FORECAST, False, "0 % searched; about 0.4 core-hours left (0.3 to 0.5)"),
        (0.0, None, False, "0 % searched"),
        (1.0, None, True, None),
        (None, None, False, None),
    ],
)
def test_an_unfinished_proof_shows_an_estimate_of_the_remaining_time(searched, left, complete, expected):
    progress = replace(PROGRESS, searched=searched, left=left, complete=complete)
    line = ProgressLine(ASPL, Limits(), 2, interactive=False)
    assert line.outlook(progress) == expected
    proven = replace(progress, bound=(800,), complete=False)  # a score at its bound is not said to be unsearched
    assert (line.outlook(proven), "searched" in line.line(proven)) == (None, False)


def test_the_line_ends_with_the_state_in_which_the_search_ended(capsys):
    line = ProgressLine(ASPL, Limits(seconds=60), interactive=False)
    line.show(replace(PROGRESS, searched=0.0))
    line.show(replace(PROGRESS, searched=0.5))  # too early for another line
    line.show(replace(PROGRESS, searched=1.0, bound=(800,), complete=True))
    line.close()
    line.close()
    first, last = capsys.readouterr().err.splitlines()
    assert ("0 % searched" in first, "50 s left" in first) == (True, True)
    assert ("gap 0.00 %  100 % searched" in last, "left" in last) == (True, False)


LINE = re.compile(r" +([0-9.]+) s since the start  (.+)")


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(heartbeat, "FIRST_S", 0.02)
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.05)


def lines_until(capsys, count):
    """Return the lines that are shown, as soon as there are so many."""
    shown = ""
    while shown.count("\n") < count:
        time.sleep(0.005)
        shown += capsys.readouterr().err
    return [LINE.fullmatch(line).groups() for line in shown.splitlines()]


def test_lines_appear_after_each_silence_and_name_the_steps(quick, capsys):
    threads = {*threading.enumerate()}
    with beating("evaluate"):
        outside = lines_until(capsys, 2)
        with step("routes"), step("walks"):
            inside = lines_until(capsys, 2)[1:]  # the first one may be older than the step
    assert {name for _, name in outside} == {"evaluate"}
    assert {name for _, name in inside} == {"routes: walks"}
    seconds = [float(second) for second, _ in outside + inside]
    assert seconds == sorted(seconds)
    assert {*threading.enumerate()} <= threads


def test_what_still_runs_after_the_first_ctrl_c_says_how_to_end_it_at_once(quick, capsys, monkeypatch):
    monkeypatch.setattr(INTERRUPT, "requested", True)
    with beating("search"):
        assert {name for _, name in lines_until(capsys, 1)} == {f"search{heartbeat.ENDING}"}


def test_a_step_whose_share_is_known_says_how_long_the_rest_takes_at_the_same_speed(monkeypatch):
    monkeypatch.setattr("time.monotonic", lambda: 130.0)
    assert Step("distances", 0.25, 100.0).text == "distances 25 %, about 90 s left"
    assert Step("distances").text == "distances"


def test_a_live_line_is_a_sign_of_life(monkeypatch, capsys):
    monkeypatch.setattr(heartbeat, "FIRST_S", 0.2)
    with beating("search"):
        line, began = LiveLine(), time.monotonic()
        pauses = []
        while time.monotonic() - began < 0.6:
            line.show("progress")
            shown = time.monotonic()
            time.sleep(0.01)
            pauses.append(time.monotonic() - shown)
    beats = [text for text in capsys.readouterr().err.splitlines() if text != "progress"]
    assert not beats or max(pauses) > 0.15  # unless the machine itself paused


def test_every_verb_beats(isoplane, monkeypatch):
    monkeypatch.setattr(heartbeat, "FIRST_S", 0.001)
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.001)
    result = isoplane("evaluate", "network=torus", "network.shape=[40,40]")
    assert result.code == 0
    assert "metrics of torus 40x40" in result.err
