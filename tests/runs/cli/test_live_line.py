"""The live line stays in one row of the terminal, whatever its width."""

import multiprocessing
import sys
from contextlib import contextmanager

from isoplane.models import InputError
from isoplane.runs.cli import search
from isoplane.runs.cli.main import main
from isoplane.runs.terminal import heartbeat, live_line
from isoplane.runs.terminal.live_line import LiveLine
from isoplane.search import Progress
from tests.cases import for_each

from .conftest import HANG_S, run_in_child
from .terminals import Terminal

TEXT = "   0.5 s  best aspl 3.125  gap 0.5 %  29 s left  2.00 M/s  1e+06 evaluations"  # 76 columns
SEARCH = ("search", "network.n=8", "strategy=portfolio", "workers=2", "stop.evaluations=4000000")
SIMULATE = (
    "simulate",
    "network=hypercube",
    "network.n=3",
    "network.generators=identical",
    "loads=[0.1,0.2,0.3]",
    "saturation=false",
)
REPRODUCE = ("reproduce", "experiment=shibamura/fig9", "sizes=[64]", "replications=2")


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


@for_each(
    ("words", "columns", "expected"),
    [
        (SEARCH, 60, "best aspl_and_traffic 80"),
        (SIMULATE, 24, " s"),
        (REPRODUCE, 36, "32 of 32 simulations"),
    ],
)
def test_a_command_shows_one_live_row_and_nothing_wider_than_the_terminal(tmp_path, words, columns, expected):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["isoplane.runs.cli.search", "tests.runs.cli.conftest"])
    with Terminal(columns) as terminal:
        process = context.Process(
            target=run_with_frequent_updates, args=(tmp_path, tmp_path / "out", terminal.path, words)
        )
        process.start()
        try:
            while process.is_alive():
                terminal.read()
                assert len(terminal.rows) == 1
            terminal.read()
        finally:
            process.kill()
            process.join()
        assert process.exitcode == 0, terminal.rows
        (row,) = terminal.rows
        assert expected in row
        assert len(terminal.texts) > 2
        assert all(len(text) < columns for text in terminal.texts)


def test_a_line_that_is_too_wide_loses_its_last_parts_but_no_part_of_a_number(monkeypatch):
    with live_line_on(80, monkeypatch) as (line, terminal):
        for columns in range(79, 8, -5):
            terminal.resize(columns)
            line.show(TEXT)
            terminal.read()
            (row,) = terminal.rows
            parts = row.split("  ")
            assert len(row) < columns
            assert parts == TEXT.split("  ")[: len(parts)]
            assert len(row) == len(TEXT) or len("  ".join(TEXT.split("  ")[: len(parts) + 1])) >= columns


def test_a_terminal_that_becomes_wider_or_narrower_shows_as_much_as_it_holds(monkeypatch):
    with live_line_on(80, monkeypatch) as (line, terminal):
        lengths = []
        for columns in (80, 60, 50, 40, 80):
            terminal.resize(columns)
            line.show(TEXT)
            terminal.read()
            assert len(terminal.rows) == 1
            lengths.append(len(terminal.rows[0]))
        # The whole line; cut after the rate, after the time left, after the gap; the whole line.
        assert lengths == [76, 57, 47, 36, 76]


@for_each(("columns", "cells"), [(20, 18), (21, 20), (40, 30)])
def test_wide_characters_take_two_columns_each(monkeypatch, columns, cells):
    with live_line_on(columns, monkeypatch) as (line, terminal):
        line.show("網" * 15)
        terminal.read()
        assert terminal.rows[0].count("網") == cells // 2
        assert len(terminal.rows) == 1


def test_characters_of_zero_width_take_no_column_and_control_characters_are_escaped(monkeypatch):
    with live_line_on(12, monkeypatch) as (line, terminal):
        line.show("e\u0301" * 11)
        line.show("one\ntwo\x1b[2J")
        terminal.read()
        assert terminal.texts == ["e\u0301" * 11, "one\\ntwo\\x1"]
        assert len(terminal.rows) == 1


def test_a_terminal_that_does_not_report_its_width_is_taken_to_have_80_columns(monkeypatch):
    with live_line_on(200, monkeypatch) as (line, terminal):
        terminal.resize(0)
        line.show(TEXT * 2)
        terminal.read()
        assert terminal.rows == [TEXT]


def test_closing_a_live_line_ends_its_row(monkeypatch):
    with live_line_on(80, monkeypatch) as (line, terminal):
        line.show(TEXT)
        line.close()
        line.close()
        print("the end", file=sys.stderr, flush=True)
        terminal.read()
        assert terminal.rows == [TEXT, "the end"]


def test_an_error_starts_a_row_of_its_own(tmp_path, monkeypatch):
    def solve(space, objective, strategy, stop, *rest):
        stop(objective, Progress(1000, 0.5, 5, (800, 100), space.identical))
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


def test_a_stream_that_is_not_a_terminal_gets_whole_lines(capsys):
    line = LiveLine()
    for _ in range(2):
        line.show(TEXT * 3)
    line.close()
    assert capsys.readouterr().err == f"{TEXT * 3}\n" * 2
