"""Processes as a fleet: their environment, killed processes, and processes that end with their parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isoplane.fleet import Processes
from tests.cases import for_each, require_refusal


def kill_itself(number):
    os.kill(os.getpid(), signal.SIGKILL)


def environment(name):
    return os.environ.get(name)


def test_the_environment_of_the_caller_is_unchanged_and_a_killed_process_is_one_line():
    before = dict(os.environ)
    with Processes(1) as fleet:
        assert list(filter(None, fleet.map(environment, ["OPENBLAS_NUM_THREADS"]))) == [(0, "1")]
        assert dict(os.environ) == before
        require_refusal(lambda: list(fleet.map(kill_itself, [0])), "^workers=1: a process was killed; expected")


def test_the_number_of_processes_is_positive():
    require_refusal(lambda: Processes(0), "workers=0")


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


@for_each("kernel", ["", "del os.pidfd_open", "os.pidfd_open = lambda process: os.open('/nowhere', 0)"])
def test_a_process_ends_with_the_one_that_it_works_for_whatever_the_kernel_can_tell(kernel):
    works = "processes.end_with({}); time.sleep(0.05); print('works', flush=True); time.sleep(1000)"
    before = f"import os, time; {kernel or 'pass'}; from isoplane.fleet import processes; processes.POLL_S = 0.01; "
    with subprocess.Popen(["sleep", "1000"]) as other:
        command = [sys.executable, "-c", before + works.format(other.pid)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout.readline() == "works\n"
            other.kill()
            other.wait()
            assert worker.wait(600) == 1
