"""Circuit assignments compared with brute force and between solvers, their invariants, and errors of Gurobi."""

import builtins
import sys
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.circuits import Circuits
from isoplane.models.errors import not_installed
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.models.workloads import dense, from_matrix, sparse, stencil
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.search.programs import assign_circuits
from tests.cases import for_each, require_refusal

from .brute_force import INSTALLED, all_circuits, least_times

MEGABYTE = 1_250_000  # a millisecond at 10 Gbit/s


def test_brute_force_lists_every_set_of_circuits_once():
    # Matchings of two groups of 3 nodes: 1 + 9 + 18 + 6.
    sets = list(all_circuits(Hybrid(2, 3), 3))
    assert len(sets) == len(set(sets)) == 34


CASES = {
    "8 nodes, sparse": (Hybrid(2, 4), sparse(8, 3), 3),
    "8 nodes, dense": (Hybrid(2, 4, circuit_gbps=5), dense(8, 20), 2),
    "8 nodes, slow uplinks": (Hybrid(4, 2, up_gbps=2), stencil((2, 4), MEGABYTE, 1), 4),
    "8 nodes, two ports": (Hybrid(2, 4, 2), sparse(8, 2), 2),
    "12 nodes, stencil": (Hybrid(3, 4), stencil((3, 4), MEGABYTE, 1), 4),
    "12 nodes, four groups": (Hybrid(4, 3), sparse(12, 2), 2),
}
SOLVED_BY_ALL = ("8 nodes, sparse", "8 nodes, dense")


@for_each(("name", "solver"), [*((name, "cp_sat") for name in CASES), *product(SOLVED_BY_ALL, INSTALLED)])
def test_every_solver_finds_the_best_circuits(name, solver):
    hybrid, workload, max_circuits = CASES[name]
    assignment = assign_circuits(hybrid, workload.message_list(), max_circuits, solver=solver)
    assert assignment.optimal
    assert assignment.total_optimal
    assert assignment.bound_ns == assignment.bottleneck_ns
    least = least_times(FluidModel(hybrid, workload.message_list()), max_circuits)
    assert (assignment.bottleneck_ns, assignment.total_ns) == least


@pytest.mark.parametrize("solver", ["cp_sat", "highs"])
@pytest.mark.parametrize(
    ("size", "workload"), [(4, sparse(8, 3, seed=1)), (3, dense(6, seed=1))], ids=["sparse", "dense"]
)
def test_the_segment_bound_is_used_if_the_program_is_too_large(monkeypatch, solver, size, workload):
    monkeypatch.setattr("isoplane.search.programs.circuit_solution.MAX_CIRCUITS", 0)
    hybrid, messages = Hybrid(2, size, up_gbps=2), workload.message_list()
    assignment = assign_circuits(hybrid, messages, 2, solver=solver, seconds=1200)
    least, _ = least_times(FluidModel(hybrid, messages), 2)
    assert bottleneck_bound_ns(hybrid, messages, 2) < assignment.bound_ns <= least
    assert assignment.bound_by == f"program:{solver}"


@st.composite
def small_problems(draw):
    """A network of at most 6 nodes, a workload and a number of circuits."""
    groups, size = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 1), (4, 1)]))
    rates = st.sampled_from([Fraction(5, 2), 4, 10, 32])
    hybrid = Hybrid(groups, size, draw(st.integers(1, 2)), 10, draw(rates), draw(rates))
    nodes = hybrid.nodes
    entries = st.lists(st.integers(0, 3), min_size=nodes**2, max_size=nodes**2)
    matrix = np.array(draw(entries)).reshape(nodes, nodes)
    matrix[0, 1] += 1  # so that there is traffic
    return hybrid, from_matrix(matrix * 1000), draw(st.integers(0, min(hybrid.max_circuits, 3)))


@given(small_problems())
def test_busy_times_are_those_of_the_fluid_model_for_all_circuits(problem):
    hybrid, workload, max_circuits = problem
    model = FluidModel(hybrid, workload.message_list())
    for pairs in all_circuits(hybrid, min(max_circuits, 2)):
        times = model.times(Circuits(pairs))
        assert model.busy_times_ns(Circuits(pairs)) == (times.bottleneck_ns, times.total_ns)


@settings(deadline=None, max_examples=15)
@given(small_problems())
def test_any_small_network_gets_its_best_circuits(problem):
    hybrid, workload, max_circuits = problem
    assignment = assign_circuits(hybrid, workload.message_list(), max_circuits)
    assert (assignment.bottleneck_ns, assignment.total_ns) == least_times(
        FluidModel(hybrid, workload.message_list()), max_circuits
    )
    assert assignment.bound_ns == assignment.bottleneck_ns


@pytest.mark.long
def test_the_stencil_of_the_paper_gets_an_optimal_bottleneck():
    # With 48 circuits every message between groups has its own, and an inner node has three neighbours in its group:
    # 3 · 320 Mbit at 10 Gbit/s. With 8 circuits, some nodes have four neighbours and no circuit.
    messages = stencil(iterations=1).message_list()
    for circuits, bottleneck_ns in ((8, 128_000_000), (48, 96_000_000)):
        assignment = assign_circuits(Hybrid(), messages, circuits)
        assert assignment.optimal
        assert assignment.bottleneck_ns == assignment.bound_ns == bottleneck_ns
        assert assignment.solver == "none"
        assert assignment.gap == 0


def test_the_times_agree_with_the_model_given_a_start_and_a_placement():
    hybrid, workload = Hybrid(2, 4), sparse(8, 3)
    placement = Placement((7, 2, 5, 0, 3, 6, 1, 4))
    assignment = assign_circuits(hybrid, workload.message_list(), 2, placement, start=[Circuits(((0, 4),))])
    times = FluidModel(hybrid, workload.message_list()).times(assignment.circuits, placement)
    assert (times.bottleneck_ns, times.total_ns) == (assignment.bottleneck_ns, assignment.total_ns)


def test_workers_do_not_change_the_result():
    messages = sparse(16, 3).message_list()
    one, two = (assign_circuits(Hybrid(2, 8), messages, 4, workers=workers) for workers in (1, 2))
    assert one.circuits == two.circuits


def test_cp_sat_takes_over_if_gurobipy_is_missing(monkeypatch, capsys):
    original_import = builtins.__import__

    def import_without_gurobipy(name, *arguments, **options):
        if name == "gurobipy":
            raise ImportError(name)
        return original_import(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", import_without_gurobipy)
    hybrid, workload, max_circuits = CASES["8 nodes, sparse"]
    assignment = assign_circuits(hybrid, workload.message_list(), max_circuits, solver="gurobi")
    assert assignment.solver == "cp_sat"
    assert assignment.optimal
    assert capsys.readouterr().err == f"solver=gurobi: {not_installed('gurobipy', 'gurobi')}; cp_sat takes over\n"


def test_the_log_of_the_solver_is_shown_on_request(capfd):
    hybrid, workload, max_circuits = CASES["8 nodes, sparse"]
    assign_circuits(hybrid, workload.message_list(), max_circuits, log=True)
    assert "CP-SAT" in capfd.readouterr().out


def test_a_time_limit_ends_a_search_with_a_valid_bound():
    messages = dense(32).message_list()
    assignment = assign_circuits(Hybrid(4, 8), messages, 8, seconds=0.5)
    assert not assignment.optimal
    assert 0 < assignment.bound_ns <= assignment.bottleneck_ns
    assert assignment.bottleneck_ns == FluidModel(Hybrid(4, 8), messages).times(assignment.circuits).bottleneck_ns


@for_each(
    ("changes", "message"),
    [
        ({"solver": "cplex"}, "solver=cplex: expected cp_sat, highs, gurobi"),
        ({"circuits": 5}, "network.circuits=5: expected an integer from 0 to 4"),
        ({"seconds": 0}, "seconds=0: expected a number above 0"),
        ({"workers": 0}, "workers=0"),
        ({"seed": -1}, "seed=-1"),
        ({"log": 1}, "log=1: expected true or false"),
        ({"start": [Circuits(((0, 4), (1, 5), (2, 6)))]}, "start: 3 circuits; expected at most 2"),
        ({"start": [Circuits(((0, 1),))]}, "inside group 0"),
        ({"placement": Placement((1, 0))}, "workload.processes=8"),
        ({"hybrid": Hybrid(2, 3)}, "workload.processes=8"),
    ],
)
def test_inconsistent_arguments_are_rejected(changes, message):
    arguments = {"hybrid": Hybrid(2, 4), "messages": sparse(8, 3).message_list(), "circuits": 2} | changes
    require_refusal(lambda: assign_circuits(**arguments), message)


class GurobiError(Exception):
    """Like the error of gurobipy: a message and a code."""

    def __init__(self, errno, message):
        super().__init__(message)
        self.errno = errno


def failing(monkeypatch, errno, message):
    """Replace gurobipy with a module that fails."""

    def environment(**_):
        raise GurobiError(errno, message)

    fake = SimpleNamespace(GurobiError=GurobiError, GRB=SimpleNamespace(), Env=environment)
    monkeypatch.setitem(sys.modules, "gurobipy", fake)


def assign():
    return assign_circuits(Hybrid(2, 4), sparse(8, 3).message_list(), 3, solver="gurobi")


@pytest.mark.parametrize(
    ("errno", "message"),
    [(10009, "Unable to open Gurobi license file"), (10010, "Model too large for size-limited license")],
)
def test_cp_sat_takes_over_without_a_licence(monkeypatch, capsys, errno, message):
    failing(monkeypatch, errno, message)
    assignment = assign()
    assert assignment.solver == "cp_sat"
    assert assignment.optimal
    expected = f"solver=gurobi: gurobipy has no licence for this program ({message}); cp_sat takes over\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(("errno", "message"), [(10001, "Out of memory"), (10020, "Problem\nwith Q")])
def test_any_other_error_is_reported_in_one_line(monkeypatch, errno, message):
    failing(monkeypatch, errno, message)
    expected = " ".join(message.split())
    require_refusal(assign, f"^solver=gurobi: {expected} (error {errno}); expected cp_sat, highs$")
