"""A figure of simulations on 64 nodes, verdicts on made-up points, and programs with the parameters of the paper."""

import csv
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.models import InputError
from isoplane.runs.figures.shibamura.checked_claims import COLUMNS, checked_claims, claim_text, claims_of, settings_of
from isoplane.runs.figures.shibamura.latencies import check, figure_of
from isoplane.runs.figures.shibamura.settings import INTERVALS_US, NETWORKS, SETTINGS, programs
from isoplane.runs.figures.shibamura.simulations import LatencyPoint, simulate
from isoplane.search import Threads
from isoplane.simulator import Estimate
from isoplane.simulator.language import notes, parse_program, read_program, run_program, write_program
from tests.cases import for_each


def reproduce(folder, workers, on_progress=None):
    """Write Fig. 6 with two simulations per program."""
    settings = settings_of("fig6", 64)
    rows = simulate(settings, 64, replications=2, seed=1, fleet=Threads(workers), on_progress=on_progress)
    figure_of("fig6", 64, rows).write(folder, "fig6")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figure")
    reproduce(folder, workers=1)
    return folder


def test_a_figure_is_written_with_all_its_points(folder):
    rows = list(csv.DictReader((folder / "fig6.csv").open(encoding="utf-8", newline="")))
    assert [(row["network"], int(row["interval_us"])) for row in rows] == [
        (n, i) for n in NETWORKS for i in INTERVALS_US
    ]
    assert {row["flow_control"] for row in rows} == {"VirtualCutThrough"}
    assert all(float(row["half_width_ns"]) > 0 for row in rows)
    assert (folder / "fig6.png").read_bytes().startswith(b"\x89PNG")
    assert ET.parse(folder / "fig6.svg").getroot().tag.endswith("svg")
    assert len((folder / "fig6-published.csv").read_text(encoding="utf-8").splitlines()) == 1


def test_the_programs_of_a_figure_reproduce_its_points(folder):
    assert len(list((folder / "programs").iterdir())) == len(NETWORKS) * len(INTERVALS_US)
    (row, *_) = csv.DictReader((folder / "fig6.csv").open(encoding="utf-8", newline=""))
    program = read_program(folder / "programs" / "2-d-torus-2us.ndl")
    first, second = (run_program(replace(program, random_seed=seed)).network_latency_ns for seed in (1, 2))
    assert float(row["network_latency_ns"]) == (first + second) / 2
    # For two values the half-width of the interval of the mean is t · |a - b| / 2.
    assert float(row["half_width_ns"]) == pytest.approx(12.706 * abs(first - second) / 2)


def test_the_number_of_workers_has_no_influence(folder, tmp_path):
    progress = []
    on_progress = lambda done, total: progress.append((done, total))  # noqa: E731
    reproduce(tmp_path, workers=3, on_progress=on_progress)
    assert progress == [(done, 32) for done in range(1, 33)]
    for path in folder.glob("fig6*"):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@for_each(
    ("changes", "message"),
    [
        ({"sizes": [64, 4096]}, r"sizes=\[64, 4096\]: expected one number of nodes"),
        ({"sizes": [100]}, "sizes=100: expected 64 and 4096"),
        ({"replications": 1}, "replications=1: expected an integer from 2 to 31"),
        ({"replications": None}, "replications=null"),
    ],
)
def test_values_out_of_range_are_bad_input(changes, message):
    fleet = {"workers": 1, "fleet": {"name": "local"}}
    with pytest.raises(InputError, match=message):
        check({"figure": "fig4", "sizes": [64], "replications": 2, "seed": 1} | fleet | changes)


def rows(figure, latency_of, half_width=1.0):
    """All points that a figure needs; `latency_of` takes the name of a figure, the network and the interval."""
    names = {setting: name for name, setting in reversed(SETTINGS.items())}
    return [
        LatencyPoint(
            setting, network, interval, Estimate(latency_of(names[setting], network, interval), half_width), 0.0, 0.0, 5
        )
        for setting in settings_of(figure, 4096)
        for network in NETWORKS
        for interval in INTERVALS_US
    ]


def judge(figure, latency_of, half_width=1.0):
    return {(v.stated.subject, v.stated.base): v for v in checked_claims(figure, rows(figure, latency_of, half_width))}


@for_each(
    ("rdt_ns", "half_width", "verdict"),
    [
        (1100, 1, "holds"),
        (1100, 60, "open"),
        (900, 60, "open"),
        (900, 49, "fails"),
        (1001, 1, "open"),
        (1003, 1, "holds"),
    ],
)
def test_an_order_holds_if_intervals_do_not_overlap(rdt_ns, half_width, verdict):
    found = judge("fig5", lambda figure, network, interval: rdt_ns if network == "RDT" else 1000, half_width)
    assert found["fig5 RDT", "fig5 3-D torus"].verdict == verdict


def test_a_statement_without_an_interval_is_judged_at_the_worst_interval():
    latency_ns = {2: 300, 10: 450, 50: 300, 100: 300}
    found = judge("fig5", lambda figure, _, interval: 1000 if figure == "fig4" else latency_ns[interval])
    verdict = found["fig5 2-D torus", "fig4 2-D torus"]
    assert (verdict.note, verdict.ours, verdict.verdict) == ("10 us", 0.45, "holds")
    assert found["fig5 RDT", "fig4 RDT"].verdict == "fails"  # 0.45 is not a small change


def test_the_graphs_have_the_published_diameters_and_degrees():
    found = judge("fig4", lambda figure, network, interval: 2000 if network == "2-D torus" else 1000)
    graphs = [verdict for verdict in found.values() if not verdict.stated.base]
    assert {verdict.verdict for verdict in found.values()} == {"holds"}
    assert len(graphs) == 5  # diameter and degree of a network have the same subject


def test_every_figure_simulates_what_its_statements_compare():
    for figure in SETTINGS:
        needed = {SETTINGS[name] for claim in claims_of(figure) if claim.base for name, _ in claim.curves}
        assert set(settings_of(figure, 4096)) == needed | {SETTINGS[figure]}
        assert settings_of(figure, 64) == [SETTINGS[figure]]


def test_the_table_has_a_line_for_each_statement_and_counts_the_verdicts():
    found = checked_claims(
        "fig11", rows("fig11", lambda figure, network, interval: 1000 if figure == "fig10" else 500, 0.1)
    )
    table, counts = claim_text(found)
    lines = [*str(table).splitlines(), counts]
    assert lines[0].split() == list(COLUMNS)
    words = "4.3 network latency fig11 2-D torus fig10 2-D torus 100 us at most 0.52 0.500 holds"
    assert " ".join(lines[1].split()) == words
    assert lines[-1] == "4 hold, 0 open, 0 fail"


PARAMETERS = {
    "fig4": ("StoreAndForward", 32, 50),
    "fig5": ("Wormhole", 32, 50),
    "fig6": ("VirtualCutThrough", 32, 50),
    "fig7": ("StoreAndForward", 16, 50),
    "fig8": ("StoreAndForward", 32, 50),
    "fig9": ("StoreAndForward", 64, 50),
    "fig10": ("StoreAndForward", 32, 25),
    "fig11": ("StoreAndForward", 32, 50),
    "fig12": ("StoreAndForward", 32, 100),
}


@for_each("figure", SETTINGS)
def test_every_point_has_the_parameters_of_the_paper(figure):
    flow, bits, mhz = PARAMETERS[figure]
    points = list(programs(SETTINGS[figure]))
    assert [(name, interval) for name, interval, _ in points] == [(n, i) for n in NETWORKS for i in INTERVALS_US]
    for _, interval_us, program in points:
        assert program.nodes == 4096
        assert (program.flow_control, program.channel_bits, program.frequency_hz) == (flow, bits, mhz * 10**6)
        assert (program.packet_bits, program.data_bits, program.hardware_delay_clocks) == (256, 192, 2)
        assert (program.message_creation_max, program.message_max_count) == (10000, 10000)
        assert (program.message_bytes, program.virtual_channels) == ((8, 32), 1)
        assert program.creation_probability == Fraction(1, interval_us * mhz)
        assert program.buffer_bits == (2 * bits if program.flow_control == "Wormhole" else 256)
        assert notes(program) == ()
        assert parse_program(write_program(program)) == program


def test_the_smaller_networks_are_of_the_same_kinds():
    for (_, _, small), (_, _, large) in zip(programs(SETTINGS["fig4"], 64), programs(SETTINGS["fig4"]), strict=True):
        assert small.nodes == 64
        assert type(small.topology) is type(large.topology)
