"""Processes as a fleet: results, errors, killed processes, and processes that end with their parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isoplane.fleet import Processes
from isoplane.models import InputError


def square(number):
    return number * number


def reject(number):
    raise InputError(f"item={number}: expected none")


def kill_itself(number):
    os.kill(os.getpid(), signal.SIGKILL)


def environment(name):
    return os.environ.get(name)


def wait_for_file(path):
    while not Path(path).exists():
        time.sleep(0.01)


@pytest.fixture(scope="module")
def fleet():
    with Processes(2) as opened:
        yield opened


def test_every_item_has_its_result(fleet):
    found = dict(filter(None, fleet.map(square, range(20))))
    assert found == {number: number * number for number in range(20)}


def test_an_error_in_a_call_is_raised_by_the_map(fleet):
    with pytest.raises(InputError, match=r"^item=3: expected none$"):
        list(fleet.map(reject, [3]))


def test_a_map_yields_before_its_calls_end(fleet, tmp_path):
    calls = fleet.map(wait_for_file, [str(tmp_path / "go")] * 2)
    assert next(calls) is None
    (tmp_path / "go").touch()
    assert sorted(index for index, _ in filter(None, calls)) == [0, 1]


def test_the_environment_of_the_caller_is_unchanged(fleet):
    before = dict(os.environ)
    list(fleet.map(environment, ["OPENBLAS_NUM_THREADS"]))
    assert dict(os.environ) == before


def test_a_killed_process_is_one_line():
    with Processes(1) as opened, pytest.raises(InputError, match=r"^workers=1: a process was killed; expected"):
        list(opened.map(kill_itself, [0]))


def test_the_number_of_processes_is_positive():
    with pytest.raises(InputError, match="workers=0"):
        Processes(0)


ORPHANS = """
import os, sys
from isoplane.fleet import Processes
from tests.fleet.test_processes import write_id_and_wait

if __name__ == "__main__":
    with Processes(1) as fleet:
        for _ in fleet.map(write_id_and_wait, [sys.argv[1]]):
            pass
"""


def write_id_and_wait(path):
    Path(path).write_text(str(os.getpid()))
    time.sleep(600)


def is_running(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_processes_end_when_their_parent_is_killed(tmp_path):
    script, file = tmp_path / "orphans.py", tmp_path / "id"
    script.write_text(ORPHANS)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    parent = subprocess.Popen([sys.executable, str(script), str(file)], env=environment)
    while not file.exists() or not file.read_text():
        time.sleep(0.05)
    worker = int(file.read_text())
    assert is_running(worker)
    parent.kill()
    parent.wait()
    for _ in range(600):  # at most a minute
        if not is_running(worker):
            return
        time.sleep(0.1)
    pytest.fail(f"process {worker} outlives its parent")
