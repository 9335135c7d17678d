"""A program whose output is no longer read ends silently; one that loses its terminal in order."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import termios
from contextlib import contextmanager

import pytest

from isoplane.runs.records import read_record, verify
from tests.cases import for_each
from tests.search.raylets import wait_until

from .conftest import HANG_S, PROGRAM, WITHOUT_PAGES, files, messages, wait_for


@pytest.fixture
def closed_pipe():
    """The write end of a pipe whose read end is closed."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    yield write_end
    os.close(write_end)


@for_each(
    ("words", "unbuffered"),
    [
        (("best",), ""),
        (("evaluate", "--help"), "1"),
        (("search", "--info", "defaults"), ""),
    ],
)
def test_a_closed_pipe_ends_a_program_silently(tmp_path, closed_pipe, words, unbuffered):
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    result = subprocess.run(
        [PROGRAM, *words], cwd=tmp_path, env=environment, stdout=closed_pipe, stderr=subprocess.PIPE, check=False
    )
    assert (result.returncode, messages(result.stderr.decode())) == (141, [])


def test_a_search_with_closed_standard_error_ends_and_keeps_its_result(tmp_path, closed_pipe):
    words = ("search", "network.n=9", "stop.seconds=100", "hydra.run.dir=run")
    result = subprocess.run([PROGRAM, *words], cwd=tmp_path, env=WITHOUT_PAGES, stdout=closed_pipe, stderr=closed_pipe)
    assert result.returncode == 141
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert verify(read_record(record)) == []


def close_in_child(*descriptors):
    """A function that closes standard streams in a child before its program starts, as `>&-` does."""
    return lambda: [os.close(descriptor) for descriptor in descriptors]


def test_a_search_with_closed_streams_writes_its_files_and_ends_silently(ended_search, tmp_path):
    words = ("network.n=3", "stop.evaluations=1000", "strategy=anneal")
    result = subprocess.run(
        [PROGRAM, "search", *words, "hydra.run.dir=closed"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=close_in_child(0, 1, 2),
    )
    assert result.returncode == 141
    assert b"Traceback" not in result.stderr
    assert [line for line in messages(result.stderr.decode()) if "evaluations" not in line] == []
    ended_search(*words)
    run, other = tmp_path / "closed", tmp_path / "run"
    assert files(run) == files(other)
    for name in files(run):  # nothing printed ended up in a file
        if (run / name).is_file() and name.startswith(("records", "checkpoint", "config")) and "clock" not in name:
            assert (run / name).read_bytes() == (other / name).read_bytes()


def test_closed_standard_output_acts_like_a_closed_pipe(tmp_path):
    result = subprocess.run(
        [PROGRAM, "best", "n=3"], cwd=tmp_path, stderr=subprocess.PIPE, preexec_fn=close_in_child(1)
    )
    assert (result.returncode, messages(result.stderr.decode())) == (141, [])


def test_without_standard_error_results_are_printed_and_errors_are_not(tmp_path):
    for words, code, prefix in ((("best", "n=3"), 0, b"family"), (("best", "n=99"), 2, b"")):
        result = subprocess.run([PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=close_in_child(2))
        assert (result.returncode, result.stdout[:6]) == (code, prefix)


def test_ascii_output_replaces_or_escapes_other_characters(tmp_path):
    folder = tmp_path / "n\u00e4he"
    folder.mkdir()
    words = ("simulate", "network.n=2", "network.generators=identical", "measurement=rough", "loads=[0.2]",
             "saturation=false", f"hydra.run.dir='{folder}/run'")  # fmt: skip
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run([PROGRAM, *words], cwd=tmp_path, env=environment, capture_output=True)
    assert result.returncode == 0, result.stderr
    assert b"Traceback" not in result.stderr
    printed = result.stdout.decode("ascii")
    assert printed.splitlines()[1].split()[:4] == ["offered", "accepted", "+-", "packet"]
    assert "n\\xe4he/run" in printed


@contextmanager
def endless_search_in_a_terminal(folder, *, controlling):
    """Yield the process of a search in a new terminal, and the other side of this, once there is a result."""
    controller, terminal = pty.openpty()

    def prepare():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup make test` would ignore
        if controlling:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [PROGRAM, "search", "network.n=8", "stop.seconds=1000000", "hydra.run.dir=run", "log=log"], cwd=folder,
        env=WITHOUT_PAGES, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, preexec_fn=prepare,
    )  # fmt: skip
    os.close(terminal)
    try:
        wait_for(folder / "run" / "summary.json")
        yield process, controller
    finally:
        process.kill()
        process.wait()


def test_a_search_whose_terminal_is_lost_ends_and_keeps_the_best(tmp_path):
    with endless_search_in_a_terminal(tmp_path, controlling=True) as (process, controller):
        os.close(controller)  # the kernel sends SIGHUP, and every later write fails
        assert process.wait(HANG_S) == 130
    assert json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))["stopped_by"] == "interrupt"
    assert "; continue with isoplane search resume=" in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_search_that_left_its_terminal_goes_on_when_this_is_lost(tmp_path):
    with endless_search_in_a_terminal(tmp_path, controlling=False) as (process, controller):
        os.close(controller)  # no signal is sent, and every later write fails
        lines = (tmp_path / "log").read_text(encoding="utf-8").count("\n")
        wait_until(lambda: (tmp_path / "log").read_text(encoding="utf-8").count("\n") > lines)  # of progress
        process.terminate()
        assert process.wait(HANG_S) == 130
