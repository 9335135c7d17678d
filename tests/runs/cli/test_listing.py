"""`isoplane simulate messages=FILE`: listed messages on any network."""

import json

import pytest

from tests.cases import for_each

from .conftest import rows

CUBE = ("network.n=3", "network.generators=[3,5,7]")
MESSAGE_LIST = """CommunicationPattern 1
# id source destination bytes
4 0 31 256
9 31 0 512 after 4 delay 2usec
"""


@pytest.fixture
def message_list(tmp_path):
    (tmp_path / "answer.cpf").write_text(MESSAGE_LIST)
    return "messages=answer.cpf"


def test_listed_messages_are_simulated_to_the_last_one(isoplane, tmp_path, message_list):
    result = isoplane("simulate", *CUBE, message_list, "hydra.run.dir=run")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "hypercube n=3, 32 nodes, listed traffic"
    assert lines[2].split()[-1] == "complete"
    # 235.52 ns to node 31 (docs/simulator.md), 2 µs of computing, rounded up to 1563 ticks of 1.28 ns, and the same way
    # back with one packet more, of 8 flits of 2.56 ns.
    assert lines[3] == f"completed after {2 * 235.52 + 1563 * 1.28 + 8 * 2.56:.1f} ns: 2 messages"
    assert lines[4] == f"simulation: {tmp_path / 'run'}"
    (run_report,) = json.loads((tmp_path / "run" / "report.json").read_text())["runs"]
    assert run_report["completed_ns"] == pytest.approx(2 * 235.52 + 1563 * 1.28 + 8 * 2.56)
    received = f"received_{run_report['offered_load']}"
    assert sum(int(node[received]) for node in rows(tmp_path / "run" / "nodes.csv")) == 2
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"] is None


@for_each("network", ["mesh"])
def test_every_family_of_networks_runs_listed_messages(isoplane, message_list, network):
    result = isoplane("simulate", f"network={network}", message_list, "hardware.deadlock=drop")
    assert (result.code, result.err) == (0, "")
    assert "complete" in result.out


def test_a_record_runs_listed_messages(isoplane, message_list, record):
    result = isoplane("simulate", f"record={record}", message_list)
    assert (result.code, result.err) == (0, "")
    assert "completed after " in result.out


def test_messages_dropped_in_a_deadlock_are_reported(isoplane, tmp_path):
    # Six messages of two packets chase each other around a ring whose buffers hold one packet.
    lines = [f"{node} {node} {(node + 3) % 6} 2048" for node in range(6)]
    (tmp_path / "chase.cpf").write_text("\n".join(["CommunicationPattern 1", *lines, "6 0 1 8 after 0,1,2,3,4,5"]))
    words = ("network=torus", "network.shape=[6]", "network.datelines=false", "messages=chase.cpf")
    hardware = ("hardware.virtual_channels=1", "hardware.buffer_flits=8", "hardware.deadlock=drop")
    result = isoplane("simulate", *words, *hardware)
    assert (result.code, result.err) == (0, "")
    (line,) = [line for line in result.out.splitlines() if line.startswith("not completed: ")]
    assert line.endswith(" dropped")
    assert "of 7 messages arrived" in line
    assert not line.endswith(" 0 dropped")
