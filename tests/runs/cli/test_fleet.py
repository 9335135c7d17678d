"""Searches on Ray end with the same records as on threads, whichever process is killed along the way."""

import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.cases import for_each
from tests.search.raylets import cluster, descendants, environment, free_port, kill, named, wait_until

from .conftest import HANG_S, PROGRAM, files, messages
from .test_interruption import require_intact
from .test_resume import outcome

WORDS = ("network.n=10", "layout=none", "strategy=anneal", "seed=4")
ENDLESS = "stop.evaluations=8000000000"
# The program, which waits less long for a head to restart.
IMPATIENT = (
    *(sys.executable, "-c"),
    "import sys; from isoplane.fleet import ray; ray.HEAD_TIMEOUT_S = 0.5; "
    "from isoplane.runs.cli.main import main; sys.exit(main())",
)
CALL = "ray::_call"


@pytest.fixture
def driver(tmp_path):
    """Start `isoplane search WORDS...` on Ray, and kill its remaining processes after the test."""
    processes = []

    def start(*words, command=(PROGRAM,)):
        with (tmp_path / "driver.log").open("wb") as log:
            command = [*command, "search", "fleet=ray", "workers=2", *words]
            process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=log, stderr=log)
        processes.append(process)
        return process

    yield start
    for process in processes:
        for pid in (*descendants(process.pid), process.pid):
            kill(pid, signal.SIGKILL)
        process.wait(HANG_S)


def log_of(tmp_path):
    return (tmp_path / "driver.log").read_text()


def wait_for_file(file, process, tmp_path):
    """Wait until a running search has written a file."""
    wait_until(lambda: (tmp_path / "run" / file).exists() or process.poll() is not None)
    assert process.poll() is None, log_of(tmp_path)


def rounds_of(run):
    """The rounds in the checkpoint of a search."""
    return json.loads((run / "checkpoint" / "anneal.json").read_text())["data"]["rounds"]


def test_a_search_outlives_a_worker_and_a_node_and_resumes_after_ctrl_c_or_the_loss_of_the_head_as_if_nothing_had_been(
    isoplane, driver, tmp_path, no_drawing
):
    with cluster(tmp_path) as (address, node, _):
        process = driver(*WORDS, ENDLESS, f"fleet.address={address}", "hydra.run.dir=run")
        wait_for_file("checkpoint/anneal.json", process, tmp_path)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(HANG_S) == 130, log_of(tmp_path)
        assert "Traceback" not in log_of(tmp_path)
        require_intact(tmp_path / "run", set())
        process = driver(f"resume={tmp_path / 'run'}", f"fleet.address={address}", command=IMPATIENT)
        # Until both nodes have a call of this search: it has no end before.
        head_node, *_ = named(os.getpid(), f"--port={address.partition(':')[2]}")
        wait_until(lambda: (named(node.pid, CALL) and named(head_node, CALL)) or process.poll() is not None)
        before = rounds_of(tmp_path / "run")
        kill(wait_until(lambda: named(head_node, CALL))[0], signal.SIGKILL)
        # The first is the raylet itself: a forked child has the same command line until it starts its own program.
        raylet, *_ = named(node.pid, "raylet/raylet")
        kill(raylet, signal.SIGKILL)
        wait_until(lambda: rounds_of(tmp_path / "run") > before + 2 or process.poll() is not None)
        assert process.poll() is None, log_of(tmp_path)
        head, *_ = named(os.getpid(), f"--gcs_server_port={address.partition(':')[2]}")
        kill(head, signal.SIGKILL)
        assert process.wait(HANG_S) == 2, log_of(tmp_path)
    # Ray itself prints what the raylet has logged.
    (line,) = [line for line in messages(log_of(tmp_path)) if line.startswith("isoplane search: ")]
    assert "Traceback" not in log_of(tmp_path)
    assert line.startswith("isoplane search: fleet=ray: lost (its head at ")
    resume = f"continue with isoplane search resume={tmp_path / 'run'}"
    assert line.endswith(f":{address.partition(':')[2]} does not answer); {resume}")
    require_intact(tmp_path / "run", set())
    stop = f"stop.evaluations={(rounds_of(tmp_path / 'run') + 1) * 8 * 16384 + 1}"
    assert isoplane("search", "resume=run", stop, "fleet=local", "workers=1").code == 0
    assert isoplane("search", *WORDS, stop, "hydra.run.dir=uninterrupted").code == 0
    assert outcome(tmp_path / "run") == outcome(tmp_path / "uninterrupted")


@for_each("address", ["127.0.0.1:{}", "ray://127.0.0.1:{}", "127.0.0.1", "nowhere.invalid:6379"])
def test_an_unreachable_cluster_is_reported_in_one_line_and_leaves_nothing_behind(isoplane, tmp_path, address):
    address = address.format(free_port())
    result = isoplane("search", "network.n=3", "fleet=ray", f"fleet.address='{address}'")
    assert (result.code, result.out) == (2, "")
    assert f"isoplane search: fleet.address={address}: " in result.err
    assert result.err.count("\n") == 1
    assert files(tmp_path) == []


def test_a_run_whose_cluster_is_gone_is_left_as_it_is_and_resumes_with_another_fleet(isoplane, tmp_path, no_drawing):
    words = ("network.n=9", "layout=none", "strategy=anneal", "stop.evaluations=20000", "hydra.run.dir=run")
    assert isoplane("search", *words).code == 0
    config, gone = tmp_path / "run" / "config.yaml", f"127.0.0.1:{free_port()}"
    config.write_text(config.read_text().replace("name: local", f"name: ray\n  address: {gone}"))
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path) if (tmp_path / name).is_file()}
    result = isoplane("search", "resume=run", "stop.evaluations=40000")
    assert (result.code, result.out) == (2, "")
    (line,) = messages(result.err)
    assert line.startswith(f"isoplane search: fleet.address={gone}: no Ray cluster (")
    assert "; expected fleet=ray fleet.address=HOST:PORT of a running one that accepts this client" in line
    assert line.endswith(", fleet=ray for this machine alone, or fleet=local")
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    resumed = isoplane("search", "resume=run", "stop.evaluations=40000", "fleet=local")
    assert resumed.code == 0
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["evaluations"] == 40000


def test_a_cluster_that_refuses_this_client_is_answered_with_how_it_chooses_its_token(isoplane, monkeypatch):
    ray = pytest.importorskip("ray")

    def refuse(**_):
        raise ConnectionError("Failed to connect to Ray cluster")

    monkeypatch.setattr(ray, "init", refuse)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", "/of/another")
    with socket.create_server(("127.0.0.1", 0)) as server:
        result = isoplane("search", "network.n=3", "fleet=ray", f"fleet.address=127.0.0.1:{server.getsockname()[1]}")
    (line,) = messages(result.err)
    assert "(Failed to connect to Ray cluster)" in line
    assert "token (here RAY_AUTH_MODE is not set, RAY_AUTH_TOKEN_PATH=/of/another)" in line


def test_a_start_of_ray_that_takes_too_long_is_one_line(isoplane, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")

    def start_slowly(**_):
        raise Exception("The current node timed out during startup. This could happen\nbecause of this.\nOr that.")

    monkeypatch.setattr(ray, "init", start_slowly)
    result = isoplane("search", "network.n=3", "fleet=ray")
    assert (result.code, result.out) == (2, "")
    (line,) = messages(result.err)
    assert line.startswith("isoplane search: fleet=ray: Ray has not started on this machine (The current node timed")
    assert line.endswith("; expected a machine with time and memory for it: try again, or fleet=local")
    assert files(tmp_path) == []


def test_without_ray_its_fleet_is_rejected_in_one_line(isoplane, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    result = isoplane("search", "network.n=3", "fleet=ray")
    assert (result.code, result.out) == (2, "")
    assert "fleet=ray: Ray is not installed; available after pip install 'isoplane[ray]'" in result.err
    assert files(tmp_path) == []


@for_each(
    ("words", "idle"),
    [
        (("strategy=anneal", "workers=10"), "8 chains: 2 of 10 workers have nothing to do; strategy.chains=10 is an"),
        (("strategy.chains=1", "workers=2", "network.n=9"), "1 chain: 1 of 2 workers have nothing to do; strategy.ch"),
        (("strategy=anneal", "workers=2", "strategy.chains=2"), None),
        (("workers=10",), None),  # an exact search has work for all
    ],
)
def test_workers_without_a_chain_are_said(isoplane, no_drawing, words, idle):
    result = isoplane("search", "network.n=4", "layout=none", "objective=aspl", "stop.evaluations=100", *words)
    assert result.code == 0
    said = [line for line in messages(result.err) if "nothing to do" in line]
    assert [line.startswith(f"isoplane search: {idle}") for line in said] == [True] * (idle is not None)
