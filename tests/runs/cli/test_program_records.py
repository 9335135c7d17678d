"""Programs are evaluated, recorded, verified, simulated and reported like the config of the same network."""

import json

import pytest

from tests.cases import for_each

from .conftest import files

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
SWITCH = ("network.cable_m=0.0", "switch.name=program", "switch.delay_ns=60", "switch.endpoint_delay_ns=0")


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
    assert (result.code, result.err) == (0, "")
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
    assert (result.code, result.err) == (0, f"no report: {message}")
    assert not {"report.html", "design.json"} & set(files(tmp_path / "run"))
    saved = isoplane("evaluate", "program=a.ndl", "save=a.json")
    assert (saved.code, saved.out, saved.err) == (2, "", f"isoplane evaluate: {message}")
    assert isoplane("verify", "program=a.ndl").code == 0
