"""The public benchmark: its checker beside igraph and the evaluator, its bounds, and its program."""

import csv
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.objectives.general import GeneralExact
from isoplane.runs.records import best_folder, read_record
from tests.cases import for_each

HOME = Path(__file__).parents[2] / "benchmarks" / "instances"
PETERSEN = [[end, (end + 1) % 5] for end in range(5)] + [[end, end + 5] for end in range(5)]
PETERSEN += [[5 + end, 5 + (end + 2) % 5] for end in range(5)]


@pytest.fixture(scope="module")
def checker():
    """The functions of `check.py`, which is a program."""
    found = {"__name__": "check"}
    exec(compile((HOME / "check.py").read_text(), "check.py", "exec"), found)
    return found


@pytest.fixture(scope="module")
def searches(import_script):
    return import_script("instance_searches")


@pytest.fixture(scope="module")
def every(searches):
    return {each.title: each for each in searches.instances()}


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def lists(files):
    return {end: [list(map(int, line.split())) for line in text.splitlines()] for end, text in files.items()}


@given(st.integers(2, 24), st.integers(0, 60), st.integers(1, 3), st.integers(0, 1 << 30))
def test_distances_are_those_of_igraph_over_the_nearest_plane(checker, vertices, extra, planes, seed):
    """A random tree and random edges in each plane."""
    random_numbers, edges, distances = random.Random(seed), [], []
    for _ in range(planes):
        pairs = {frozenset((vertex, random_numbers.randrange(vertex))) for vertex in range(1, vertices)}
        pairs |= {frozenset(random_numbers.sample(range(vertices), 2)) for _ in range(extra)}
        edges.append([list(pair) for pair in pairs])
        distances.append(igraph.Graph(vertices, edges[-1]).distances())
    nearest = np.min(distances, axis=0)
    assert checker["check"](edges, None, None, None) == (nearest.max(), nearest.sum())


@settings(max_examples=12)
@given(st.integers(3, 20), st.integers(5, 9), st.integers(1, 2))
def test_distances_of_hosts_are_those_of_the_evaluator_and_two_hops(searches, checker, nodes, ports, planes):
    family = HostGraph(nodes=nodes, ports=ports, planes=planes)
    edges = list(lists(searches.graph_files(family)).values())
    exact = GeneralExact(Network(family))
    diameter, hops = checker["check"](edges, None, nodes, ports)
    assert (diameter, hops) == (exact.diameter + 2, exact.total_hops + 2 * nodes * (nodes - 1))


@settings(max_examples=8)
@given(st.permutations(range(12)))
def test_places_of_a_plane_are_read_as_the_evaluator_reads_them(searches, checker, places):
    family = Relabelled(plane=Torus(shape=(3, 4), node_cable_m=2, nodes_per_switch=1), places=(tuple(places),))
    found = lists(searches.graph_files(family))
    planes = [found[".edges"], *(checker["moved"](found[".edges"], each) for each in found[".places"])]
    exact = GeneralExact(Network(family))
    assert checker["check"](planes, 4, None, None) == (exact.diameter, exact.total_hops)


@for_each(
    ("edges", "options", "error"),
    [
        ([*PETERSEN, [8, 5]], {"degree": 3}, "no edge twice"),
        ([*PETERSEN, [2, 2]], {}, "two different vertices"),
        ([*PETERSEN, [2, 5, 7]], {}, "two different vertices"),
        (PETERSEN[1:], {"degree": 3}, "vertex 0 has 2 edges; expected 3 to 3"),
        (PETERSEN, {"degree": 4}, "vertex 0 has 3 edges; expected 4 to 4"),
        (PETERSEN, {"hosts": 2}, "vertex 0 has 3 edges; expected 1 to 1"),
        ([*PETERSEN, [10, 11]], {}, "10 vertices are connected with vertex 0; expected 0 to 11"),
        ([[0, 2]], {}, "2 vertices are connected with vertex 0; expected 0 to 2"),
        ([[0, 3], [1, 3], [2, 3]], {"hosts": 3, "ports": 2}, "vertex 3 has 3 edges; expected 1 to 2"),
        ([], {}, "vertex 0 has 0 edges"),
    ],
)
def test_a_graph_that_is_not_as_stated_is_refused(checker, edges, options, error):
    sizes = {"degree": None, "hosts": None, "ports": None, **options}
    with pytest.raises(ValueError, match=error):
        checker["check"]([edges], **sizes)


def test_planes_of_different_vertices_and_places_that_are_no_permutation_are_refused(checker):
    with pytest.raises(ValueError, match="3 vertices in a plane; expected 10 in each"):
        checker["check"]([PETERSEN, [[0, 1], [1, 2]]], None, None, None)
    for places in ([0, 1, 2], [*range(9), 8], [*range(11)]):
        with pytest.raises(ValueError, match="expected a permutation of all vertices"):
            checker["moved"](PETERSEN, places)


def test_the_checker_is_a_program_of_its_own(tmp_path):
    """Without isoplane, and outside its folders."""
    graph = tmp_path / "graph.edges"
    graph.write_text("".join(f"{one} {other}\n" for one, other in PETERSEN))
    command = [sys.executable, "-I", "-S", HOME / "check.py", graph]
    right, wrong = (
        subprocess.run([*command, f"--degree={degree}"], capture_output=True, text=True) for degree in (3, 4)
    )
    assert (right.returncode, right.stdout) == (0, "10 vertices, diameter 2, ASPL 150/90 = 1.666667\n")
    assert (wrong.returncode, wrong.stderr) == (1, "wrong: vertex 0 has 3 edges; expected 4 to 4\n")


@for_each(
    ("text", "options", "error"),
    [
        ("# K2\n0 1\n", (), "line 1: '# K2'; expected numbers from 0 to 999999999 alone"),
        ("0 1\n1 -2\n", (), "line 2: '1 -2'; expected numbers"),
        ("0 1.0\n", (), "line 1: '0 1.0'; expected numbers"),
        ("0 1_0\n", (), "line 1: '0 1_0'; expected numbers"),
        ("0 \u0661\n", (), "line 1: '0 \ufffd\ufffd'; expected numbers"),
        ("0 1" + 5000 * "0", (), "expected numbers from 0 to 999999999 alone"),
        ("0 999999999\n", (), "2 vertices are connected with vertex 0; expected 0 to 999999999"),
        ("\n", (), "has no numbers"),
        ("0 1\n", ("--hosts=-1",), "argument --hosts: -1; expected at least 2"),
        ("0 1\n", ("--hosts=1",), "argument --hosts: 1; expected at least 2"),
        ("0 1\n", ("--degree=0",), "argument --degree: 0; expected at least 1"),
        ("0 1\n", ("--ports=0",), "argument --ports: 0; expected at least 1"),
    ],
)
def test_a_file_or_size_that_is_none_ends_in_one_line(tmp_path, text, options, error):
    graph = tmp_path / "graph.edges"
    graph.write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", HOME / "check.py", graph, *options]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, encoding="utf-8")
    assert refused.returncode in {1, 2}
    assert error in refused.stderr.splitlines()[-1]


@for_each("text", ["0 1\r\n1 2\r\n", "  0\t1 \n1  2\n\n\n", "1 0\n2 1"])
def test_ends_of_lines_blanks_and_blank_lines_do_not_matter(checker, tmp_path, text):
    (tmp_path / "graph.edges").write_bytes(text.encode())
    assert checker["check"]([checker["numbers_in"](tmp_path / "graph.edges")], None, None, None) == (2, 8)


@for_each("title", ["order_degree/36/3", "order_degree/256/8", "order_radix/32/4", "order_radix/128/24"])
def test_bounds_are_those_of_the_searches(every, title):
    instance, setup = every[title], every[title].setup()
    *diameter, hops = setup.space.bounds(setup.objective)
    assert instance.bound == instance.mean(hops, setup.space.baseline.network.nodes)
    assert diameter == ([] if instance.least_diameter is None else [instance.least_diameter])


def test_listed_values_agree_with_the_listed_gaps_above_the_bound(every):
    """Graph Golf states both; its bound is thus ours."""
    listed = [each for each in every.values() if each.problem == "order_degree"]
    assert len(listed) == 20
    for instance in listed:
        assert float(instance.known) == pytest.approx(instance.row["aspl"], abs=0.00055)
        assert instance.least_diameter <= instance.row["diameter"]


def test_the_best_linear_planes_are_those_of_the_library(every):
    with best_folder() as folder:
        for n in (6, 7, 8, 9, 10):
            (file,) = folder.glob(f"hypercube-n{n}-aspl-*.json")
            (total,) = read_record(file)["score"]
            assert every[f"relabelled/hypercube-{n}"].known == Fraction(total, 2**n - 1)


def test_stored_graphs_have_the_values_of_the_records(searches, every):
    with (HOME / "records.csv").open(newline="") as lines:
        records = list(csv.DictReader(lines))
    for record in records:
        instance = every[record["instance"]]
        files = list((HOME / "graphs").glob(f"{instance.file}.*"))
        if instance.problem != "price" and files:
            diameter, aspl = searches.checked(instance, files)
            assert float(record["value"]) == pytest.approx(float(aspl))
            assert record["diameter"] in ("", str(diameter))


def test_the_program_keeps_what_it_finds_and_goes_on(import_script, monkeypatch, capsys, tmp_path):
    program = import_script("instances")

    def lines_of(*words, code=0):
        command = ["instances", "--seconds", "0.2", "--folder", str(tmp_path / "found"), *words]
        monkeypatch.setattr(sys, "argv", command)
        assert program.main() == code
        return capsys.readouterr().out.splitlines()

    for name in ("RECORDS", "GRAPHS", "PAGE"):
        monkeypatch.setattr(program, name, tmp_path / name)
    chosen = ("--only", "relabelled/slim_fly-5", "order_radix/32/4")
    first = lines_of(*chosen, "--seeds", "1")
    assert [line.split(":")[0] for line in first[:2]] == ["order_radix/32/4 seed=1", "relabelled/slim_fly-5 seed=1"]
    both = lines_of(*chosen, "--seeds", "1", "2")
    assert [line.split(":")[0] for line in both[:2]] == ["order_radix/32/4 seed=2", "relabelled/slim_fly-5 seed=2"]
    with (tmp_path / "found" / "results.csv").open(newline="") as file:
        values = [float(row["value"]) for row in csv.DictReader(file) if row["instance"] == "order_radix/32/4"]
    (row,) = (cells(line) for line in both if line.startswith("| 32/4 "))
    assert row[3:6] == [f"{min(values):.4f}", f"{sum(values) / 2:.4f}", "2"]
    # The bound is reached: no two edges of the planes are the same.
    (row,) = (cells(line) for line in both if line.startswith("| slim_fly-5 "))
    assert row[2] == row[3] == f"{84 / 49:.4f}"

    # A problem that was not chosen keeps its table.
    page = "<!-- {0}:begin -->\n{1}<!-- {0}:end -->\n"
    kept = page.format("order_degree", "By `another command`:\n")
    program.PAGE.write_text(kept + page.format("order_radix", ""))
    *rows, _ = lines_of("--only", "order_radix/32/4", "--seeds", "2", "--write")
    command = "python benchmarks/instances.py --only order_radix --seconds 0.2 --workers 1 --seeds 2"
    assert program.PAGE.read_text() == kept + page.format("order_radix", "\n".join([f"By `{command}`:", "", *rows, ""]))


@for_each(
    ("diameter", "value", "is_missed"),
    [(4, 3.0667, False), (4, 3.07, True), (5, 3.06, True)],
)
def test_a_missed_goal_is_noticed(import_script, searches, every, diameter, value, is_missed):
    result = searches.Result("order_degree/36/3", 1, 60, 1, diameter, value, 1.0, 1)
    assert import_script("instances").missed(every["order_degree/36/3"], [result]) == is_missed


def test_records_are_the_best_results_with_their_graphs(import_script, searches, monkeypatch, tmp_path):
    program = import_script("instances")
    for name in ("RECORDS", "GRAPHS"):
        monkeypatch.setattr(program, name, tmp_path / name)
    for seed in (1, 2):
        (tmp_path / f"order_degree-36-3-{seed}.edges").write_text(f"{seed}\n")
    worse, better = (searches.Result("order_degree/36/3", seed, 60, 1, 6 - seed, 3.0, 1.0, 1) for seed in (1, 2))
    for results in ([worse], [better, worse], [worse]):
        records = {each.instance: each for each in searches.results_in(program.RECORDS)}
        program.keep_records(results, records, tmp_path)
    assert searches.results_in(program.RECORDS) == [better]
    assert [file.read_text() for file in program.GRAPHS.iterdir()] == ["2\n"]


def test_the_page_has_a_line_for_each_instance_with_its_bound(every):
    lines = [cells(line) for line in (HOME / "README.md").read_text().splitlines() if line.startswith("| ")]
    bounds = {line[0]: line[2] for line in lines if len(line) == 10}
    for instance in every.values():
        if instance.problem in ("order_degree", "price"):  # those of others take seconds
            diameter = "" if instance.least_diameter is None else f"{instance.least_diameter}, "
            assert bounds[instance.name] == diameter + instance.text(instance.bound)
    assert {each.name for each in every.values()} <= set(bounds)
