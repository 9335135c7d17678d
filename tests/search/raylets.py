"""A Ray cluster of two nodes on this machine, started and ended by process id."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

HANG_S = 600  # timeout of all waits, far above any expected wait
RAY = Path(sys.executable).with_name("ray")
# So that a killed node is noticed within seconds.
FAST_HEALTH_CHECKS = {
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "2",
    "RAY_USAGE_STATS_ENABLED": "0",
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def environment(folder):
    """The environment with one token for head, nodes and drivers, stored in a folder."""
    token = folder / "token"
    token.write_text("0123456789abcdef" * 4, encoding="utf-8")
    return os.environ | FAST_HEALTH_CHECKS | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}


@contextmanager
def cluster(folder):
    """Yield the address, the second node's process and the environment of a driver."""
    pytest.importorskip("ray", reason="the extra isoplane[ray] is not installed")
    variables, port = environment(folder), free_port()
    address = f"127.0.0.1:{port}"
    common_options = ["--num-cpus=1", "--object-store-memory=100000000", "--disable-usage-stats", "--block"]
    head_options = ["--head", f"--port={port}", "--include-dashboard=false", "--node-ip-address=127.0.0.1"]
    nodes = [start_node(folder / "head.log", variables, *head_options, *common_options)]
    try:
        wait_until(lambda: is_listening(port))
        nodes.append(start_node(folder / "node.log", variables, f"--address={address}", *common_options))
        yield address, nodes[1], variables
    finally:
        for node in reversed(nodes):
            end_node(node)


def start_node(log, variables, *options):
    with log.open("wb") as output:
        command = [RAY, "start", *options]
        return subprocess.Popen(command, env=variables, stdout=output, stderr=output, start_new_session=True)


def end_node(node):
    """Kill a node and all its descendants: it would take seconds to end by itself, and nothing of it is kept."""
    for pid in (node.pid, *descendants(node.pid)):
        kill(pid, signal.SIGKILL)
    node.wait(HANG_S)


def kill(pid, signal_number):
    with suppress(ProcessLookupError):
        os.kill(pid, signal_number)


def descendants(pid):
    """All descendants of a process."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def named(pid, name):
    """The descendants of a process whose command line contains a name."""
    return [child for child in descendants(pid) if name in command_line(child)]


def command_line(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def is_listening(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def wait_until(poll):
    """Wait until a function returns a true value, and return that value."""
    deadline = time.monotonic() + HANG_S
    while not (value := poll()):
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.05)
    return value
