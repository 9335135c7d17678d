"""Programs in the network description language: simulated as written, recorded like the config of the same network."""

import json

import pytest

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


def test_a_program_is_simulated_as_written(isoplane, no_drawing, tmp_path):
    (tmp_path / "torus.ndl").write_text(PROGRAM)
    result = isoplane("simulate", "program=torus.ndl", "hydra.run.dir=run")
    assert (result.code, result.err.partition(";")[0]) == (0, "next: isoplane verify program=torus.ndl")
    lines = result.out.splitlines()
    assert lines[0] == "torus 4x4, 16 nodes, uniform traffic"
    assert lines[3].split()[0] == "0.08"  # 8 flits in 100 clocks
    assert (lines[3].split()[2], lines[3].split()[4], lines[3].split()[-1]) == ("-", "-", "complete")
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
def test_the_files_of_a_program_are_the_same_from_the_command_line_and_from_python(
    isoplane, no_drawing, tmp_path, interval
):
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


def test_no_load_is_printed_for_listed_messages(isoplane, no_drawing, tmp_path):
    (tmp_path / "torus.ndl").write_text(PROGRAM.replace("(RandomSeed 7)", '(CommunicationPatternFile "a.cpf")'))
    (tmp_path / "a.cpf").write_text("CommunicationPattern 1\n1 0 1 24\n2 1 0 24 after 1\n")
    result = isoplane("simulate", "program=torus.ndl", "hydra.run.dir=run")
    assert result.code == 0
    row = result.out.splitlines()[3].split()
    assert (row[0], row[-1]) == ("-", "complete")


def test_at_other_loads_a_program_is_run_without_limits_on_its_messages(isoplane, tmp_path, no_drawing):
    (tmp_path / "torus.ndl").write_text(f"{PROGRAM}(MessageMaxCount 2)")
    result = isoplane(
        "simulate",
        "program=torus.ndl",
        "loads=[0.1,0.4]",
        "measurement=rough",
        "measurement.tolerance=0.2",
        "seed=3",
        "hydra.run.dir=run",
    )
    assert result.code == 0
    assert [row["steady"] for row in rows(tmp_path / "run" / "curve.csv")][:2] == ["true", "true"]
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["saturation"]["throughput"] > 0.3


def test_notes_on_a_program_are_printed(isoplane, no_drawing, tmp_path):
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
        (
            ("(RandomSeed 7)", '(CommunicationPatternFile "b.cpf")'),
            'torus.ndl:16:27: CommunicationPatternFile "b.cpf": expected a readable file; b.cpf: No such file or',
        ),
        (
            ("(DateLines Yes)", "(DeadlockRecovery Report)"),
            "torus.ndl:5:19: DeadlockRecovery Report: expected Drop, for 4 channels form a dependency cycle: P0-S",
        ),
        # 1000 s · 10^14 are 5 · 10^24 clocks.
        (
            ("(RandomSeed 7)", SLOW),
            "torus.ndl:17:33: ProcessorPerformanceExpandRate 0.000000000001%: expected a percentage at which no delay "
            f"takes more than {1 << 60} clocks",
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


COMMON = """
(FlowControlMethod VirtualCutThrough)
(NetworkChannelWidth 32bit)
(NetworkFrequency 50MHz)
(NetworkPacketSize 256bit)
(NetworkDataSize 192bit)
(NodeHardwareDelay 2clock)
(NodeBufferSize 256bit)
(MessageCreationMax 200)
(MessageCreationInterval 2usec)
(MessageLength 24byte)
"""
SHORTEST = "(RoutingAlgorithm ShortestPath)(HopClasses Yes)"
LINKS = "(NetworkLink 0 1 5m)(NetworkLink 1 2 0.5m)(NetworkLink 2 3)(NetworkLink 3 0)"
# By family: the network in a program, and the same network in a config.
SAME_NETWORKS = {
    "torus": ("(NetworkTopology Torus 4 3)", ("network.shape=[4,3]", "network.datelines=false")),
    "graph": (
        f"(NetworkTopology Graph 4){LINKS}{SHORTEST}(VirtualChannels 2)",
        ("network.file=ring.edges", "network.routing=hop_classes"),
    ),
}
SWITCH = ("network.assumed_cable_m=0.0", "switch.name=program", "switch.delay_ns=60", "switch.endpoint_delay_ns=0")


@pytest.fixture
def write_program(tmp_path):
    """Return a function that writes the program of a family, without the files of others."""

    def write(family):
        for path in tmp_path.glob("*.json"):
            path.unlink()
        (tmp_path / "a.ndl").write_text(SAME_NETWORKS[family][0] + COMMON)
        (tmp_path / "ring.edges").write_text("0 1 5\n1 2 0.5\n2 3\n3 0\n")

    return write


def read_json(path):
    return json.loads(path.read_text())


@for_each("family", SAME_NETWORKS)
def test_a_program_is_evaluated_verified_and_saved_like_the_config_of_the_same_network(
    isoplane, tmp_path, write_program, family
):
    write_program(family)
    result = isoplane("evaluate", "program=a.ndl", "save=program.json")
    assert (result.code, result.err) == (0, "")
    assert isoplane("verify", "program=a.ndl").out == "network: every number agrees with the reference\n"
    assert isoplane("verify", "record=program.json").out == "program.json: every number agrees with the reference\n"
    assert isoplane("evaluate", "record=program.json").out == result.out
    configured = isoplane("evaluate", f"network={family}", *SAME_NETWORKS[family][1], *SWITCH, "save=config.json")
    assert configured.out == result.out
    from_program, from_config = read_json(tmp_path / "program.json"), read_json(tmp_path / "config.json")
    assert from_program["network"]["family"] == family
    assert {**from_program, "provenance": None} == {**from_config, "provenance": None}
    config = from_program["provenance"]["config"]
    assert {key: config["network"][key] for key in ("family", "cable_m", "nodes_per_switch")} == {
        "family": family,
        "cable_m": 0.0,
        "nodes_per_switch": 1,
    }
    assert config["switch"] == from_program["switch"]


def test_a_simulated_program_has_a_page_and_a_reusable_design(isoplane, tmp_path, write_program):
    write_program("graph")
    result = isoplane("simulate", "program=a.ndl", "hydra.run.dir=run")
    assert (result.code, result.err.partition(";")[0]) == (0, "next: isoplane verify program=a.ndl")
    run = tmp_path / "run"
    assert result.out.splitlines()[-1] == f"report: {run}/report.html"
    page = (run / "report.html").read_bytes()
    assert all(text in page for text in (b"Simulation results", b"<dd>graph ", b"isoplane verify program=a.ndl"))
    (run / "report.html").unlink()
    assert isoplane("report", "run=run").out == "run/report.html\n"
    assert (run / "report.html").read_bytes() == page
    isoplane("evaluate", "program=a.ndl", "save=program.json")
    assert read_json(run / "design.json")["id"] == read_json(tmp_path / "program.json")["id"]
    assert read_json(run / "summary.json")["network"].startswith("graph")
    result = isoplane("report", "program=a.ndl")
    assert (result.code, result.err) == (0, "")
    (page,) = tmp_path.glob("*.html")
    assert page.name == f"graph-4-{read_json(tmp_path / 'program.json')['id'][:12]}.html"
    assert "isoplane verify program=a.ndl" in page.read_text()


@for_each("verb", ["evaluate", "simulate"])
def test_too_few_channels_of_a_program_are_reported_by_line_and_column(isoplane, tmp_path, verb):
    (tmp_path / "a.ndl").write_text(f"(NetworkTopology Torus 8)\n(VirtualChannels 2){SHORTEST}{COMMON}")
    result = isoplane(verb, "program=a.ndl")
    assert (result.code, result.out, files(tmp_path)) == (2, "", ["a.ndl"])
    # Half of a ring of 8 is 4 hops.
    assert "VirtualChannels 2: expected at least 4 with HopClasses, because the longest route has 4 hops" in result.err
    assert result.err.startswith(f"isoplane {verb}: a.ndl:2:18: ")


def test_a_clock_that_no_record_can_hold_is_reported_and_the_page_left_out(isoplane, tmp_path):
    # At 3 MHz a clock takes 1000 / 3 ns, and a hop takes four clocks.
    text = (SAME_NETWORKS["torus"][0] + COMMON).replace("50MHz", "3MHz").replace("2clock", "3clock")
    (tmp_path / "a.ndl").write_text(text)
    message = "switch.delay_ns=1333.33: expected a decimal number of at most 15 digits\n"
    result = isoplane("simulate", "program=a.ndl", "hydra.run.dir=run")
    assert (result.code, result.err) == (0, f"no report: {message}next: isoplane evaluate program=a.ndl\n")
    assert not {"report.html", "design.json"} & set(files(tmp_path / "run"))
    saved = isoplane("evaluate", "program=a.ndl", "save=a.json")
    assert (saved.code, saved.out, saved.err) == (2, "", f"isoplane evaluate: {message}")
    assert isoplane("verify", "program=a.ndl").code == 0
