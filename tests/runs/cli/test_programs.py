"""`isoplane simulate program=FILE`: programs in the network description language."""

import json

from isoplane.simulator.language import read_program, simulate_program
from tests.cases import for_each

from .conftest import files, rows

PROGRAM = """
(NetworkTopology Torus 4 4)
(FlowControlMethod VirtualCutThrough)
(VirtualChannels 2)
(DateLines Yes)
(NetworkChannelWidth 32bit)
(NetworkFrequency 50MHz)
(NetworkPacketSize 256bit)
(NetworkDataSize 192bit)
(NodeHardwareDelay 2clock)
(NodeBufferSize 256bit)
(MessageCreationMax 500)
(MessageCreationInterval 2usec)
(MessageLength 24byte)
(SimulationInterval 5usec)
(RandomSeed 7)
(DataOutputFile "results of all.dof")
(ScreenOutputFile "summary.json")
"""
SLOW = '(CommunicationPatternFile "a.cpf")\n(ProcessorPerformanceExpandRate 0.000000000001%)'


def test_a_program_is_simulated_as_written(isoplane, tmp_path):
    (tmp_path / "torus.ndl").write_text(PROGRAM)
    result = isoplane("simulate", "program=torus.ndl", "hydra.run.dir=run")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "torus 4x4, 16 nodes, uniform traffic"
    assert lines[2].split()[0] == "0.08"  # 8 flits in 100 clocks
    assert (lines[2].split()[2], lines[2].split()[4], lines[2].split()[-1]) == ("-", "-", "complete")
    assert [row["complete"] for row in rows(tmp_path / "run" / "curve.csv")] == ["true"]
    run = tmp_path / "run"
    summary = json.loads((run / "summary.json").read_text())
    assert (summary["seed"], summary["runs"], summary["saturation"]) == (7, 1, None)
    assert sum(int(row["injected_messages"]) for row in rows(run / "series.csv")) == 500
    assert float(rows(run / "series.csv")[0]["time_ns"]) == 5000
    # Names that the run itself uses, or with characters that are not allowed, are changed.
    assert json.loads((run / "results_of_all.dof").read_text())["messages_arrived"] == 500
    assert "messages: 500 created, 500 arrived, 0 dropped" in (run / "program-summary.json").read_text()


@for_each("interval", ["", "(SimulationInterval 1.51usec)"])
def test_the_files_of_a_program_are_the_same_from_the_command_line_and_from_python(isoplane, tmp_path, interval):
    text = PROGRAM.replace("(SimulationInterval 5usec)", interval).replace("results of all", "results")
    (tmp_path / "torus.ndl").write_text(text.replace("summary.json", "torus.sof"))
    run, python = (tmp_path / f"{name}{len(interval)}" for name in ("run", "python"))
    assert isoplane("simulate", "program=torus.ndl", f"hydra.run.dir={run}").code == 0
    report = simulate_program(read_program(tmp_path / "torus.ndl"), tmp_path, python)
    for name in ("results.dof", "torus.sof"):
        assert (run / name).read_bytes() == (python / name).read_bytes()
    if interval:
        times = [row.time_ns for row in report.series[:3]]
        # 1.51 µs are 75.5 clocks of 20 ns: the intervals end at 75.5, 151 and 226.5 clocks, halves rounded up
        assert times == [1520, 3020, 4540]
    else:
        assert report.series == ()


def test_no_load_is_printed_for_listed_messages(isoplane, tmp_path):
    (tmp_path / "torus.ndl").write_text(PROGRAM.replace("(RandomSeed 7)", '(CommunicationPatternFile "a.cpf")'))
    (tmp_path / "a.cpf").write_text("CommunicationPattern 1\n1 0 1 24\n2 1 0 24 after 1\n")
    result = isoplane("simulate", "program=torus.ndl", "hydra.run.dir=run")
    assert result.code == 0
    row = result.out.splitlines()[2].split()
    assert (row[0], row[-1]) == ("-", "complete")


def test_at_other_loads_a_program_is_run_without_limits_on_its_messages(isoplane, tmp_path, no_drawing):
    (tmp_path / "torus.ndl").write_text(f"{PROGRAM}(MessageMaxCount 2)")
    result = isoplane(
        "simulate", "program=torus.ndl", "loads=[0.1,0.4]", "measurement=rough", "seed=3", "hydra.run.dir=run"
    )
    assert result.code == 0
    assert [row["steady"] for row in rows(tmp_path / "run" / "curve.csv")][:2] == ["true", "true"]
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"]["throughput"] > 0.3


def test_notes_on_a_program_are_printed(isoplane, tmp_path):
    (tmp_path / "torus.ndl").write_text(PROGRAM.replace("(MessageLength", "(MessageCreationRate 3%)\n(MessageLength"))
    result = isoplane("simulate", "program=torus.ndl", "hydra.run.dir=run")
    assert result.err.startswith("torus.ndl: MessageCreationRate 3% is not the 1% of MessageCreationInterval 2usec")


@for_each(
    ("change", "message"),
    [
        (("Torus 4 4", "Star 4"), "torus.ndl:2:18: NetworkTopology Star: expected"),
        # Detected only when the simulation is set up.
        (
            ("summary.json", f"{'s' * 201}"),
            f"torus.ndl:18:19: ScreenOutputFile {'s' * 40}...: expected a name of at most 200 bytes",
        ),
        (("summary.json", "a/b"), "torus.ndl:18:19: ScreenOutputFile a/b: expected a name without folders"),
        (
            ("(RandomSeed 7)", '(CommunicationPatternFile "b.cpf")'),
            'torus.ndl:16:27: CommunicationPatternFile "b.cpf": expected a readable file; b.cpf: No such file or',
        ),
        (
            ("(DateLines Yes)", "(DeadlockRecovery Report)"),
            "torus.ndl:5:19: DeadlockRecovery Report: expected Drop, for 4 channels form a dependency cycle: switch",
        ),
        # 1000 s · 10^14 are 5 · 10^24 clocks.
        (
            ("(RandomSeed 7)", SLOW),
            "torus.ndl:17:33: ProcessorPerformanceExpandRate 0.000000000001%: expected a percentage at which no delay "
            f"takes more than {1 << 60} clocks",
        ),
        (
            ("Torus 4 4)", "Torus 2 2)\n(TrafficPattern Tornado)"),
            "torus.ndl:3:17: TrafficPattern Tornado: expected a pattern in which nodes send to others",
        ),
    ],
)
def test_an_invalid_program_is_rejected_with_its_line_and_column(refuse, tmp_path, change, message):
    (tmp_path / "torus.ndl").write_text(PROGRAM.replace(*change))
    (tmp_path / "a.cpf").write_text("CommunicationPattern 1\n1 0 1 24 delay 1000sec\n")
    result = refuse("simulate", "program=torus.ndl")
    assert result.out == ""
    assert message in result.err
    assert files(tmp_path) == ["a.cpf", "torus.ndl"]
