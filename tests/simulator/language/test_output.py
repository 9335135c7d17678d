"""The files that a program names for its results."""

import json

import pytest

from isoplane.models import InputError
from isoplane.simulator.language import output_names, run_program, screen_text, simulate_program
from tests.cases import for_each

from .programs import program_of

OUTPUTS = '(DataOutputFile "ring.dof")(ScreenOutputFile "ring.sof")(SimulationInterval 1usec)'


def test_both_files_are_in_the_folder_for_outputs(tmp_path):
    program = program_of(statements=OUTPUTS)
    report = simulate_program(program, tmp_path, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["ring.dof", "ring.sof"]
    data = json.loads((tmp_path / "out" / "ring.dof").read_text(encoding="utf-8"))
    assert data["network_latency_ns"] == report.network_latency_ns
    assert data["received"] == report.received.tolist()
    assert data["series"][0]["time_ns"] == 1000
    assert len(data["series"]) == len(report.series)
    assert (tmp_path / "out" / "ring.sof").read_text(encoding="utf-8") == screen_text(report)


def test_a_program_without_file_names_writes_nothing(tmp_path):
    simulate_program(program_of(created=5), tmp_path, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_screen_text_summarises_the_messages():
    lines = screen_text(run_program(program_of(created=20))).splitlines()
    assert lines[1] == "messages: 20 created, 20 arrived, 0 dropped"
    assert lines[-1].split()[0] == "4"  # the diameter of a ring of 8


@for_each("name", ["../a", "a/b", "/a", "..", "."])
def test_an_output_name_must_not_be_a_path(name):
    for statement in ("DataOutputFile", "ScreenOutputFile"):
        with pytest.raises(InputError, match=f"^{statement}.*: expected a name without folders"):
            output_names(program_of(statements=f'({statement} "{name}")'))


def test_two_outputs_cannot_share_a_file():
    program = program_of(statements='(DataOutputFile "a")(ScreenOutputFile "a")')
    with pytest.raises(InputError, match="^ScreenOutputFile a: expected a name that differs from DataOutputFile$"):
        output_names(program)
