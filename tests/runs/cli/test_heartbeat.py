"""A command that is silent for some seconds says that it is alive, and what it does."""

import re
import threading
import time

import pytest

from isoplane.models.steps import Step, step
from isoplane.runs.terminal import heartbeat
from isoplane.runs.terminal.heartbeat import beating
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine

LINE = re.compile(r" +([0-9.]+) s  (.+)")


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
    with beating("evaluate"):
        outside = lines_until(capsys, 2)
        with step("routes"), step("walks"):
            inside = lines_until(capsys, 2)[1:]  # the first one may be older than the step
    assert {name for _, name in outside} == {"evaluate"}
    assert {name for _, name in inside} == {"routes: walks"}
    seconds = [float(second) for second, _ in outside + inside]
    assert seconds == sorted(seconds)
    assert "heartbeat" not in {thread.name for thread in threading.enumerate()}


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
