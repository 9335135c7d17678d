"""Whenever a search is interrupted or killed, what it found is kept and intact."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread

import pytest
from omegaconf.errors import OmegaConfBaseException

from isoplane.runs.cli.main import main
from isoplane.runs.cli.sweep_jobs import LOCAL_JOBS
from isoplane.runs.records import read_record, verify
from isoplane.runs.terminal.interrupt import INTERRUPT, NUMBERS
from tests.cases import for_each
from tests.search.raylets import descendants, wait_until

from .conftest import HANG_S, files, sleeping_job, wait_for
from .conftest import PROGRAM as COMMAND

NO_TIME_LIMIT = "stop.seconds=1000000"
PROGRAM = (
    "network=hybrid", "network.groups=4", "network.nodes_per_group=3", "network.circuits=6",
    "network.placement=by_switch", "workload=dense", "workload.processes=12", "objective=bottleneck",
    "strategy=program", "strategy.seconds=1000000",
)  # fmt: skip


def require_intact(run, verified):
    """Assert that everything in the folder of a run is intact; `verified` remembers records between calls."""
    for path in (run / "records").glob("*.json"):
        if path.read_bytes() not in verified:
            assert verify(read_record(path)) == []
            verified.add(path.read_bytes())
    if (run / "summary.json").exists():
        summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
        for name in (summary["best"], *summary["records"]):
            assert (run / "records" / name).is_file()
    text = (run / "history.csv").read_text(encoding="utf-8") if (run / "history.csv").exists() else "\n"
    assert text.endswith("\n")
    for line in text.splitlines()[1:]:
        seconds, evaluations, score, bound = line.split(",")
        assert float(seconds) >= 0
        assert int(evaluations) > 0
        assert [int(part) for part in score.split()]
        pairs = zip(bound.split(), score.split(), strict=True)
        assert all(low == "-" or 0 < int(low) <= int(part) for low, part in pairs)


def send_signal(process, signum):
    """Send a signal, and return the exit code."""
    os.kill(process.pid, signum)
    process.join(HANG_S)
    return process.exitcode


@pytest.mark.parametrize(
    ("signum", "words"),
    [
        (signal.SIGTERM, ("network.n=8", "workers=2")),
        (signal.SIGINT, ("network.n=8", "strategy=exact", "strategy.head_start=1000")),
        (signal.SIGTERM, PROGRAM),
    ],
)
def test_a_signal_ends_a_search_and_keeps_the_best(start_isoplane, tmp_path, signum, words):
    process, out, err = start_isoplane("search", *words, NO_TIME_LIMIT, "hydra.run.dir=run")
    run = tmp_path / "run"
    wait_for(run / "summary.json")
    time.sleep(0.3)
    assert send_signal(process, signum) == 130, err.read_text()
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert (summary["stopped_by"], summary["status"]) == ("interrupt", "feasible")
    assert summary["best"] in out.read_text()
    assert "Traceback" not in err.read_text()
    require_intact(run, set())


def test_a_lost_terminal_is_ignored_under_nohup(monkeypatch):
    monkeypatch.setattr(INTERRUPT, "requested", False)
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with INTERRUPT.caught(at_once=True):
            os.kill(os.getpid(), signal.SIGHUP)
        assert not INTERRUPT.requested
    finally:
        signal.signal(signal.SIGHUP, previous)


INTERRUPTED_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts in the background ignore it
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from isoplane.runs.cli.main import main
sys.exit(main(["best"]))
"""


@for_each("module", ["isoplane.runs.cli.verbs", "omegaconf"])
def test_a_signal_while_modules_are_imported_ends_the_program(module):
    command = INTERRUPTED_IMPORT.replace("MODULE", repr(module))
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr in ("isoplane: interrupted\n", "isoplane best: interrupted\n")


def test_a_signal_ends_the_whole_sweep(start_isoplane, tmp_path):
    process, _, err = start_isoplane(
        "search", "--multirun", "network.n=9,10,11", NO_TIME_LIMIT, "hydra.sweep.dir=sweep"
    )
    wait_for(tmp_path / "sweep" / "0" / "summary.json")
    assert send_signal(process, signal.SIGINT) == 130
    assert not list((tmp_path / "sweep").glob("[12]/*"))
    assert re.findall("^job .*", err.read_text(), re.MULTILINE) == [
        "job 1 of 3 (folder 0): network.n=9"
    ]  # no other begins
    assert "Traceback" not in err.read_text()
    require_intact(tmp_path / "sweep" / "0", set())


def test_a_signal_while_the_report_is_drawn_ends_the_program_at_once_and_keeps_the_run(isoplane, tmp_path, monkeypatch):
    def draw(folder, **_):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(HANG_S)
        raise AssertionError("not interrupted")

    monkeypatch.setattr("isoplane.runs.report.write.write_report", draw)
    words = ("network.n=3,4", "stop.evaluations=100", "hydra.sweep.dir=sweep")
    result = isoplane("search", "--multirun", *words)
    assert result.code == 130
    summary = json.loads((tmp_path / "sweep" / "0" / "summary.json").read_text(encoding="utf-8"))
    assert summary["stopped_by"] == "evaluations"
    assert not list((tmp_path / "sweep" / "1").iterdir())
    assert result.err.endswith("isoplane search: the sweep continues with isoplane search resume=sweep\n")
    require_intact(tmp_path / "sweep" / "0", set())


def test_whenever_a_search_is_killed_its_folder_is_intact(start_isoplane, tmp_path):
    verified = set()
    rng = random.Random(4)
    # At the start of a search for a front, a dozen designs are written, and most of them are beaten and removed again.
    for attempt in range(3):
        run = tmp_path / str(attempt)
        process, _, _ = start_isoplane(
            "search", "objective=front", "strategy=pareto", "network.n=6", NO_TIME_LIMIT, f"hydra.run.dir={run}"
        )
        wait_for(run / ("config.yaml", "history.csv", "summary.json")[attempt])
        time.sleep(rng.uniform(0, 0.02 if attempt < 2 else 0.8))
        assert send_signal(process, signal.SIGKILL) == -signal.SIGKILL
        require_intact(run, verified)
    assert verified


def test_a_signal_to_the_group_of_a_comparison_ends_it_like_one_to_the_program(tmp_path):
    words = ("compare", "nodes=3000", "ports=24", "workers=2", "hydra.run.dir=run")
    with (tmp_path / "err").open("w") as err:
        process = subprocess.Popen([COMMAND, *words], cwd=tmp_path, stdout=err, stderr=err, start_new_session=True)
    try:
        # The fork server, the tracker of its resources, and two workers.
        wait_until(lambda: len(descendants(process.pid)) == 4 or process.poll() is not None)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(HANG_S) == 130, (tmp_path / "err").read_text()
    finally:
        process.kill()
        process.wait()
    lines = (tmp_path / "err").read_text().splitlines()
    assert lines[-1] in (
        f"interrupted; continue with isoplane compare resume={tmp_path / 'run'}",
        "isoplane compare: interrupted",
    )
    assert not any("memory" in line or "Traceback" in line for line in lines)
    assert not (tmp_path / "run").exists() or {"calls.jsonl", "config.yaml"} >= set(files(tmp_path / "run"))


EVALUATE = ("evaluate", "network.n=3", "network.generators=[3,5,7]")


def interrupted(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(HANG_S)


def fails_after_interrupt(*_, **__):
    try:
        interrupted()
    finally:
        raise OmegaConfBaseException("half of it is set")


def ignores_interrupt(*_, **__):
    with suppress(KeyboardInterrupt):
        interrupted()


@pytest.mark.parametrize(
    ("place", "check", "line"),
    [
        ("job.check_keys", fails_after_interrupt, "isoplane evaluate"),
        ("verbs._split_words", fails_after_interrupt, "isoplane"),
        ("verbs.check_folders", ignores_interrupt, "isoplane evaluate"),
    ],
)
def test_a_signal_that_a_library_ignores_or_turns_into_an_error_of_its_own_is_still_an_interruption(
    isoplane, monkeypatch, place, check, line
):
    monkeypatch.setattr(f"isoplane.runs.cli.{place}", check)
    result = isoplane(*EVALUATE)
    assert (result.code, result.out, result.err) == (130, "", f"{line}: interrupted\n")


@for_each("slow_s", [0, 0.05])
def test_a_signal_in_a_finalizer_where_python_raises_nothing_is_still_an_interruption(isoplane, monkeypatch, slow_s):
    class Slow(Thread):  # so that the signal that it sends arrives where Python raises nothing either
        def start(self):
            super().start()
            time.sleep(slow_s)

    class Finalized:
        def __init__(self, *_, **__):
            pass

        def __del__(self):
            interrupted()

    monkeypatch.setattr("isoplane.runs.cli.job.check_keys", Finalized)
    monkeypatch.setattr("isoplane.runs.terminal.interrupt.Thread", Slow)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # that of pytest prints nothing
    result = isoplane(*EVALUATE)
    assert (result.code, result.err) == (130, "isoplane evaluate: interrupted\n")


@pytest.mark.parametrize("ignored", [True, False])
def test_a_repeated_signal_during_the_clean_up_does_not_change_the_end(isoplane, monkeypatch, ignored):
    cleaned = []

    def clean_up(**_):
        os.kill(os.getpid(), signal.SIGTERM)
        cleaned.append("whole")

    monkeypatch.setattr("isoplane.runs.terminal.interrupt.REPEATED_AFTER_S", HANG_S if ignored else 0)
    monkeypatch.setattr("isoplane.runs.cli.job.check_keys", interrupted)
    monkeypatch.setattr("isoplane.runs.cli.applications.remove_leftovers", clean_up)
    result = isoplane(*EVALUATE, "--multirun")
    assert (result.code, result.out, result.err) == (130, "", "isoplane evaluate: interrupted\n")
    assert cleaned == ["whole"] * ignored


def test_what_remains_of_the_program_after_its_last_line_is_not_interrupted(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["isoplane", "--version"])
    before = [signal.getsignal(number) for number in NUMBERS]
    try:
        assert main() == 0
        assert {signal.getsignal(number) for number in NUMBERS} == {signal.SIG_IGN}
    finally:
        for number, handler in zip(NUMBERS, before, strict=True):
            signal.signal(number, handler)


def test_an_unexpected_error_ends_the_jobs_in_other_processes(isoplane, tmp_path, monkeypatch):
    monkeypatch.setattr(INTERRUPT, "requested", False)
    LOCAL_JOBS.watch(tmp_path, None)
    job = LOCAL_JOBS.start(lambda: sleeping_job(HANG_S))
    monkeypatch.setattr("isoplane.runs.cli.applications._run", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        isoplane(*EVALUATE, "--multirun")
    assert job.process.poll() == -signal.SIGTERM
