"""`isoplane simulate messages=FILE`: listed messages on any network."""

import json

import pytest

from .conftest import files, rows

CUBE = ("network.n=3", "network.generators=[3,5,7]")
LISTED = """CommunicationPattern 1
# id source destination bytes
4 0 31 256
9 31 0 512 after 4 delay 2usec
"""


@pytest.fixture
def answered(tmp_path):
    (tmp_path / "answer.cpf").write_text(LISTED)
    return "messages=answer.cpf"


def test_listed_messages_are_run_to_the_last_one(isoplane, tmp_path, answered):
    ended = isoplane("simulate", *CUBE, answered, "hydra.run.dir=run")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "hypercube n=3, 32 nodes, listed traffic"
    assert lines[2].split()[-1] == "complete"
    # 235.52 ns there (docs/simulator.md), 2 µs of computing, which begin 1563 ticks of 1.28 ns, and the same way back
    # with a packet more, of 8 flits of 2.56 ns.
    assert lines[3] == f"completed after {2 * 235.52 + 1563 * 1.28 + 8 * 2.56:.1f} ns: 2 messages"
    assert lines[4] == f"simulation: {tmp_path / 'run'}"
    (told,) = json.loads((tmp_path / "run" / "report.json").read_text())["runs"]
    assert told["completed_ns"] == pytest.approx(2 * 235.52 + 1563 * 1.28 + 8 * 2.56)
    assert sum(int(node["received_" + str(told["offered_load"])]) for node in rows(tmp_path / "run" / "nodes.csv")) == 2
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"] is None


@pytest.mark.parametrize("network", ["torus", "mesh", "rdt"])
def test_every_family_of_networks_runs_listed_messages(isoplane, answered, network):
    ended = isoplane("simulate", f"network={network}", answered, "hardware.deadlock=drop")
    assert (ended.code, ended.err) == (0, "")
    assert "complete" in ended.out


def test_a_record_runs_listed_messages(isoplane, answered, record):
    ended = isoplane("simulate", f"record={record}", answered)
    assert (ended.code, ended.err) == (0, "")
    assert "completed after " in ended.out


def test_messages_dropped_in_a_deadlock_are_reported(isoplane, tmp_path):
    # Six messages of two packets chase each other around a ring whose buffers hold one.
    lines = [f"{node} {node} {(node + 3) % 6} 2048" for node in range(6)]
    (tmp_path / "chase.cpf").write_text("\n".join(["CommunicationPattern 1", *lines, "6 0 1 8 after 0,1,2,3,4,5"]))
    words = ("network=torus", "network.shape=[6]", "network.datelines=false", "messages=chase.cpf")
    tight = ("hardware.virtual_channels=1", "hardware.buffer_flits=8", "hardware.deadlock=drop")
    ended = isoplane("simulate", *words, *tight)
    assert (ended.code, ended.err) == (0, "")
    (line,) = [line for line in ended.out.splitlines() if line.startswith("not completed: ")]
    assert line.endswith(" dropped")
    assert "of 7 messages arrived" in line
    assert not line.endswith(" 0 dropped")


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("loads=[0.2]", "loads=[0.2]: without effect with messages=answer.cpf; expected hardware, "),
        ("saturation=true", "saturation=true: without effect with messages=answer.cpf; expected hardware, "),
        ("traffic=hot_spot", "traffic=hot_spot: without effect with messages=answer.cpf; expected hardware, "),
        (
            "traffic.max_in_flight=3",
            "traffic.max_in_flight=3: without effect with messages=answer.cpf; expected hardware, ",
        ),
        ("messages=missing.cpf", "messages=missing.cpf: No such file or directory; expected the file of a"),
        ("messages=[1]", "messages=[1]: expected the path of a file or folder"),
        ("network.nodes_per_switch=1", "answer.cpf:3:5: destination 31: expected an integer from 0 to 7"),
    ],
)
def test_what_does_not_go_with_listed_messages_is_refused(isoplane, tmp_path, answered, word, named):
    ended = isoplane("simulate", *CUBE, *((answered,) if not word.startswith("messages") else ()), word)
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.err.splitlines()
    assert line.startswith(f"isoplane simulate: {named}")
    assert files(tmp_path) == ["answer.cpf"]


def test_a_program_has_messages_of_its_own(isoplane, answered):
    ended = isoplane("simulate", "program=torus.ndl", answered)
    assert ended.code == 2
    assert ended.err.startswith(f"isoplane simulate: {answered}: without effect with program=torus.ndl; expected ")


def test_a_table_of_destinations_is_not_offered_where_none_can_be_given(isoplane):
    ended = isoplane("simulate", *CUBE, "traffic.pattern=table")
    assert ended.code == 2
    assert ended.err.startswith("isoplane simulate: traffic.pattern='table': expected uniform, complement, ")
    assert "table," not in ended.err.partition("expected")[2]
