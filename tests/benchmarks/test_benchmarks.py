"""The benchmarks run, and notice what is wrong; their goals apply to a quiet machine and are not checked here."""

import random
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from isoplane.objectives import available_isas, chosen_isa
from tests.cases import for_each

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
SAMPLE = (
    ("torus", 2), ("mesh", 2), ("hyperx", 1), ("hyperx", 2), ("random_regular", 2), ("xpander", 1), ("oft", 2),
    ("full_mesh", 2), ("dragonfly", 2), ("megafly", 2), ("slim_fly", 2), ("polar_fly", 1),
)  # fmt: skip


@pytest.fixture
def run(import_script, monkeypatch, capsys):
    """Return a function that runs a script of `benchmarks/` in this process and returns the lines that it prints."""

    def lines_of(name, *options, code=0):
        monkeypatch.setattr(sys, "argv", [name, *options])
        assert (import_script(name).main() or 0) == code
        printed, errors = capsys.readouterr()
        assert errors == ""
        return printed.splitlines()

    return lines_of


@pytest.fixture(scope="module")
def interruptions(import_script):
    return import_script("interruptions")


@pytest.fixture(scope="module")
def sizing(import_script):
    return import_script("sizing")


def test_the_kernel_benchmark_prints_a_line_for_each_family_and_instruction_set(run):
    header, *lines = run("kernel", "--n", "8", "--turns", "1")
    assert header.split()[:4] == ["n", "family", "isa", "kernel"]
    cases = [tuple(line.split()[:3]) for line in lines]
    assert cases == [("8", family, isa) for family in ("plain", "folded") for isa in available_isas()]
    for (_, _, isa), line in zip(cases, lines, strict=True):
        assert ("%" in line) == (isa == chosen_isa())


def test_the_fleet_benchmark_prints_a_line_for_each_fleet():
    pytest.importorskip("ray", reason="the extra isoplane[ray] is not installed")
    command = [sys.executable, BENCHMARKS / "fleet.py", "--n", "8", "--turns", "1", "--seconds", "0.5"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["threads", "ray"]


def test_the_table_of_bounds_has_a_row_for_each_family_and_dimension(run):
    header, rule, *rows = run("bounds", "--n", "3", "5")
    assert header.split(" | ")[2] == "sum_of_distances"
    assert len({line.count("|") for line in (header, rule, *rows)}) == 1
    assert [row.split(" | ")[:3] for row in rows] == [
        ["| hypercube", "3", "8 / 8, reached"],
        ["| hypercube", "5", "58 / 58, reached"],
        ["| folded_hypercube", "3", "8 / 8, reached"],
        ["| folded_hypercube", "5", "50 / 50, reached"],
    ]


def test_exact_search_and_annealing_agree_on_every_objective_of_cubes(run):
    lines = run("agreement", "--n", "4")
    configs = {path.stem for path in (ROOT / "conf" / "objective").glob("*.yaml")}
    configs -= {"auto", "bottleneck", "completion", "completion_by_packets", "throughput"}  # the default, and times
    assert {line.split()[2] for line in lines[1:]} == configs


def test_a_judged_search_for_a_workload_is_no_slower_than_one_by_distances_and_loads(run):
    options = ["--n", "2", "--evaluations", "2000", "--workloads", "ring", "--check"]
    lines = run("workload_search", *options)
    searched = [line.split()[1] for line in lines]
    assert searched == ["aspl_and_traffic", "identical", "completion", "throughput", "judged"]


def test_schedules_agree_with_the_floor_and_the_prices(run):
    lines = run("cabling", "--check", "--sample", "40", "--seed", "2")
    assert sum(int(line.split()[1]) for line in lines[1:]) == 40


def test_orders_of_exchanges_are_close_to_their_bounds(run):
    lines = run("orders", "--check", "--evaluations", "3000", "--instances", "1", "--graphs", "4")
    assert "4 in N - 1 phases, 2 with a bound above, 1 of them above the heaviest load" in "\n".join(lines)


def test_the_benchmark_of_limits_compares_searches_with_brute_force_and_rates(run):
    options = ("--n", "3", "--cases", "2", "--rate-n", "6", "--turns", "1", "--work", "100000", "--check")
    lines = run("limits", *options)
    assert [line.split()[0] for line in lines] == ["n=3", "agrees", "agrees"] * 2 + ["n=6:"]


def test_the_table_of_strategies_has_a_line_for_each_objective_and_strategy(run):
    options = ["--n", "5", "--family", "plain", "--objective", "aspl", "delay", "--seeds", "2"]
    header, *lines = run("strategies", *options, "--evaluations", "30000")
    assert header.split()[:4] == ["n", "family", "objective", "strategy"]
    strategies = ["anneal", "temper", "neighbourhood", "portfolio"]
    assert [line.split()[:4] for line in lines] == [
        ["5", "plain", objective, strategy] for objective in ("aspl", "delay") for strategy in strategies
    ]
    # All reach the optimum of n = 5: a sum of distances of 58.
    assert [line.split()[4:6] for line in lines[:4]] == [["58", "58"]] * 4
    assert all("2/2" in line for line in lines)


def test_the_fuzzer_prints_how_many_programs_it_tried_and_how_many_were_valid(run):
    (line,) = run("fuzz", "--programs", "100")
    assert re.fullmatch(r"100 programs, [0-9]+ valid, [0-9]+ s, slowest [0-9]+ ms", line)


def test_the_simulator_benchmark_prints_a_line_for_each_load(run):
    lines = run("simulator", "--n", "8", "--load", "0.1", "0.2", "--turns", "1")
    assert [line.split(":")[0] for line in lines] == ["8-cube, load 0.1", "8-cube, load 0.2"]


def test_the_benchmark_of_look_ups_prints_a_line_for_each_cache(run):
    lines = [line.split("  ") for line in run("look_ups", "--turns", "1")]
    ways = ["4 ways", "1 way", "16 ways", "4 ways, fifo", "4 ways, random", "one set"]
    assert [line[0] for line in lines] == ways
    # Of 4,096 destinations, 2,048 are in the cache; the first look-ups find it empty.
    assert all(float(re.search(r"hits +([0-9.]+)%", "  ".join(line))[1]) == pytest.approx(50, abs=1) for line in lines)


def test_odd_tori_of_at_most_729_nodes_equal_the_closed_forms(run):
    lines = run("odd_tori", "--nodes", "729")
    # Rings of 3 to 31, squares of 3 to 27, cubes of 3 to 9 and to the fourth of 3 and 5.
    assert [line.split()[-1] for line in lines] == ["equal"] * (15 + 13 + 4 + 2)


def test_two_builds_are_compared_on_each_benchmark():
    options = ["--other", sys.executable, "--turns", "1", "--only", "annealing", "fluid"]
    result = subprocess.run([sys.executable, BENCHMARKS / "builds.py", *options], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert "differ" not in result.stdout  # the same build computes the same results twice
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["annealing"] * 3 + ["fluid"] * 4


def test_the_fluid_model_and_packets_rank_the_same_design_first_in_95_percent_of_the_pairs(run):
    options = ["--designs", "6", "--shorten", "100", "--workload", "sparse, 4 partners", "--circuits", "8"]
    options += ["--runs", "2"]
    lines = run("hybrid", *options)
    rows = [
        re.fullmatch(r"(.*?) +(random|of rules) +(messages|packets) .* ([0-9]+) of +([0-9]+)", line)
        for line in lines[1:]
    ]
    kinds, relays = ("random", "of rules"), ("messages", "packets")
    assert [row.groups()[:3] for row in rows] == list(product(("sparse, 4 partners",), kinds, relays))
    assert all(int(row[4]) >= 0.95 * int(row[5]) for row in rows)
    assert all(int(row[5]) > (10 if row[2] == "random" else 0) for row in rows)


def test_two_programs_for_the_fluid_model_agree_on_records_just_written(run):
    options = ["--designs", "1", "--nodes", "16", "--workload", "stencil", "ring_all_reduce"]
    lines = run("fluid", *options, "--rational", "5", "--check")
    assert all(" 5 records   0 rejected " in line for line in lines[:2])  # four rules and a random design
    assert "exactly 213,997,769" in lines[3]


def test_each_interpretation_of_a_paper_has_a_row_and_each_buffer_size_a_line(run):
    header, _, *lines = run("interpretations", "--nodes", "64", "--simulations", "1")
    rows = [line.strip("| ").split(" | ") for line in lines[:9]]
    assert {len(row) for row in rows} == {len(header.strip("| ").split(" | "))}
    assert all((float(row[1]) > float(row[2])) == (row[3] == "yes") for row in rows)
    assert lines[9].startswith("virtual cut-through: ")
    assert [line.split("buffers of ")[1][0] for line in lines[11:]] == ["1", "4", "1", "4"]


def test_the_table_of_assigned_circuits_has_a_row_per_case(run):
    header, *lines = run("circuits", "--nodes", "16", "--only", "stencil", "--check")
    assert header.split()[:3] == ["workload", "nodes", "circuits"]
    assert [line.split()[:3] for line in lines] == [["stencil", "16", "4"], ["stencil", "16", "8"]]


def test_a_campaign_resumes_and_keeps_an_optimal_record(tmp_path):
    # Optimal for n = 3: a sum of distances of 8, which nothing beats.
    options = ["--n", "3", "--family", "hypercube", "--objective", "aspl", "--cold", "1", "--warm", "1"]
    command = [sys.executable, BENCHMARKS / "library.py", tmp_path, *options, "--offsets", "80000", "--jobs", "1"]
    first, second = (subprocess.run(command, capture_output=True, text=True) for _ in range(2))
    assert (first.returncode, first.stderr) == (0, "")
    runs = [f"hypercube n=3 aspl seed={seed}: [8]\n" for seed in (1, 2)]
    assert first.stdout == "".join(runs) + "hypercube n=3 aspl: [8] -> [8]\n"
    assert (second.returncode, second.stdout) == (0, "hypercube n=3 aspl: [8] -> [8]\n")  # all runs were complete
    check = subprocess.run([*command, "--check", "1", "--seconds", "1"], capture_output=True, text=True)
    assert (check.returncode, check.stdout.splitlines()[-1]) == (0, "0 of 1 new runs of 1 s are better than the record")


def test_the_general_benchmark_agrees_with_igraph(run):
    *parts, hops = (line.split() for line in run("general", "--switches", "300", "--degree", "8"))
    assert [words[0] for words in parts] == ["minimal", "distances", "loads", "igraph", "ratio"]
    assert len(set(hops[1:])) == 1


def test_the_benchmark_of_flows_prints_verified_bounds(run):
    _, *lines = run("flows", "--instance", "geometric-3", "regular-8", "--check")
    assert [line.split()[0] for line in lines] == ["geometric-3", "regular-8"]
    assert all(float(line.split()[4].rstrip("%")) <= 0.01 for line in lines)


@pytest.mark.parametrize(("filter_words", "code", "verdict"), [("cat", 0, "same"), ("sed s/cost/price/", 1, "differs")])
def test_the_comparison_of_revisions_names_the_commands_whose_output_differs(tmp_path, filter_words, code, verdict):
    program = tmp_path / ".venv" / "bin" / "isoplane"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\n{Path(sys.executable).with_name("isoplane")} "$@" | {filter_words}\n')
    program.chmod(0o755)
    command = [sys.executable, BENCHMARKS / "unchanged.py", "--other", tmp_path, "--check"]
    result = subprocess.run([*command, "--only", "best: all"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (code, "")
    assert result.stdout.split()[0] == verdict
    assert result.stdout.splitlines()[-1] == f"{code} of 1 commands differ"


@pytest.mark.parametrize("verb", ["evaluate", "import", "export"])
def test_whatever_ends_a_verb_its_files_are_whole_and_its_messages_true(interruptions, verb):
    wrong, counts = interruptions.campaign(verb, ("SIGINT", "SIGTERM", "SIGKILL", "size"), 3, seed=7)
    assert wrong == []
    assert sum(counts.values()) == 12
    assert counts["size 2"]


@for_each(
    ("name", "whole", "cut"),
    [
        ("a.json", b'{"a": [1, 2]}\n', 8),
        ("a.csv", b"a,b\n1,2\n", 7),
        ("a.csv", b"a,b\n1,2\n3,4\n", 10),
        ("a.html", b"<html><p>a</p></html>\n", 18),
        ("a.svg", b"<svg><g/></svg>", 9),
        ("a.yaml", b"a: 1\nb: [2, 3]\n", 12),
        ("a.png", b"\x89PNG...IEND\xaeB`\x82", 10),
    ],
)
def test_a_file_that_is_cut_is_noticed(interruptions, name, whole, cut):
    assert interruptions.is_well_formed(name, whole)
    assert not interruptions.is_well_formed(name, whole[:cut])


def test_what_is_wrong_after_a_run_is_noticed(interruptions):
    usual = interruptions.Undisturbed({"a.csv": b"1\n", "b.csv": b"2\n"}, frozenset({"a.csv"}), 0, 1.0, 5)
    fault = interruptions.Fault("SIGINT", 1)

    def found(outcome, **files):
        contents = {name.replace("_", "."): content for name, content in files.items()}
        return list(interruptions.problems("export", usual, fault, interruptions.Outcome(*outcome, 1.0), contents))

    interrupted = (130, "", "isoplane export: interrupted\n")
    assert found(interrupted, a_csv=b"1\n") == []
    assert found(interrupted, a_csv=b"1") == ["a.csv differs"]
    assert found(interrupted, b_csv=b"2") == ["b.csv is not whole"]
    assert found(interrupted, **{"_b_csv_0123456789abcdef_tmp": b""}) == [".b.csv.0123456789abcdef.tmp is left"]
    assert found((130, "", "")) == ["exit code 130: []"]
    assert found((0, "", ""), a_csv=b"1\n") == ["exit code 0 without b.csv"]
    assert found((2, "", "isoplane export: disk full\n")) == ["exit code 2: ['isoplane export: disk full']"]


def test_faults_are_seeded(interruptions):
    usual = interruptions.Undisturbed({"a.csv": bytes(5000)}, frozenset(), 0, 1.0, 5)
    for kind in interruptions.KINDS:
        one, other = (list(interruptions.faults(kind, usual, 6, random.Random(3))) for _ in range(2))
        assert one == other
        assert len(set(one)) > 1


@for_each("by", ["switch", "port"])
@for_each(("name", "planes"), SAMPLE)
def test_no_member_with_the_throughput_is_cheaper_by_more_than_a_thousandth(sizing, name, planes, by):
    request = sizing.request_for(17, 5, by)
    assert list(sizing.violations(name, request, planes, (Fraction(9, 10), Fraction(1, 4)))) == []


def test_the_design_is_the_cheapest_of_all_tori_with_the_throughput(sizing):
    request = sizing.request_for(17, 5, "port")
    design = sizing.cheapest(sizing.Arrangement("torus", 2).members(request, Fraction(1, 4)), request, Fraction(1, 4))
    every = list(sizing.members("torus", sizing.Wanted(request, 2, Fraction(1, 4), 1 << 61)))
    suffice = [sizing.own_cents(each, request) for each in every if sizing.own_throughput(each) >= Fraction(1, 4)]
    assert design.price_cents == min(suffice) < max(suffice)


def test_the_benchmark_of_walks_prints_a_line_for_each_size_and_notices_a_missed_goal(run, import_script, monkeypatch):
    for goal, code in ((0, 1), (1_000_000, 0)):
        monkeypatch.setattr(import_script("order_degree"), "GOALS_US", {(256, 10, 1): goal, (128, 8, 32): 1_000_000})
        _, *lines = run("order_degree", "--seconds", "0.02", "--check", code=code)
        assert [line.split()[:2] for line in lines] == [["256/10", "1"], ["128/8", "32"]]
