"""Circuit assignments against brute force, between solvers, and their invariants."""

import builtins
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.models.workloads import dense, from_matrix, sparse, stencil
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.search.programs import assign_circuits

from .brute_force import all_circuits, least_times
from .installed import INSTALLED

MEGABYTE = 1_250_000  # a millisecond at 10 Gbit/s


def test_all_sets_are_tried_once():
    # Matchings of two groups of 3 nodes: 1 + 9 + 18 + 6.
    found = list(all_circuits(Hybrid(2, 3), 3))
    assert len(found) == len(set(found)) == 34


CASES = {
    "8 nodes, sparse": (Hybrid(2, 4), sparse(8, 3), 3),
    "8 nodes, dense": (Hybrid(2, 4, circuit_gbps=5), dense(8, 20), 2),
    "8 nodes, four groups": (Hybrid(4, 2), sparse(8, 3), 3),
    "8 nodes, slow uplinks": (Hybrid(4, 2, up_gbps=2), stencil((2, 4), MEGABYTE, 1), 4),
    "8 nodes, two ports": (Hybrid(2, 4, 2), sparse(8, 2), 2),
    "8 nodes, circuits slower than segments": (Hybrid(2, 4, circuit_gbps=4), sparse(8, 3), 4),
    "12 nodes, stencil": (Hybrid(3, 4), stencil((3, 4), MEGABYTE, 1), 4),
    "12 nodes, sparse": (Hybrid(2, 6), sparse(12, 3), 4),
    "12 nodes, four groups": (Hybrid(4, 3), sparse(12, 2), 2),
    "12 nodes, dense": (Hybrid(2, 6, up_gbps=8), dense(12, 9), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_no_circuits_are_better(name):
    hybrid, work, most = CASES[name]
    found = assign_circuits(hybrid, work.message_list(), most)
    assert found.optimal
    assert found.total_optimal
    assert found.bound_ns == found.bottleneck_ns
    assert (found.bottleneck_ns, found.total_ns) == least_times(FluidModel(hybrid, work.message_list()), most)


@pytest.mark.parametrize("solver", ["cp_sat", "highs"])
@pytest.mark.parametrize("work", [sparse(8, 3, seed=1), dense(8, seed=1)], ids=["sparse", "dense"])
def test_the_segment_bound_is_used_if_the_program_is_too_large(monkeypatch, solver, work):
    monkeypatch.setattr("isoplane.search.programs.assign.MAX_CIRCUITS", 0)
    hybrid, messages = Hybrid(2, 4, up_gbps=2), work.message_list()
    found = assign_circuits(hybrid, messages, 2, solver=solver, seconds=1200)
    least, _ = least_times(FluidModel(hybrid, messages), 2)
    assert bottleneck_bound_ns(hybrid, messages, 2) < found.bound_ns <= least
    assert found.bound_by == f"program:{solver}"


@pytest.mark.parametrize("name", ["8 nodes, sparse", "8 nodes, dense", "12 nodes, stencil"])
def test_all_solvers_find_the_same_optimum(name):
    hybrid, work, most = CASES[name]
    found = [assign_circuits(hybrid, work.message_list(), most, solver=solver) for solver in INSTALLED]
    assert {(one.bottleneck_ns, one.total_ns, one.optimal, one.total_optimal) for one in found} == {
        (found[0].bottleneck_ns, found[0].total_ns, True, True)
    }


@st.composite
def small(draw):
    """A network of at most 6 nodes and a traffic matrix."""
    groups, size = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 1), (4, 1)]))
    rates = st.sampled_from([Fraction(5, 2), 4, 10, 32])
    hybrid = Hybrid(groups, size, draw(st.integers(1, 2)), 10, draw(rates), draw(rates))
    nodes = hybrid.nodes
    entries = st.lists(st.integers(0, 3), min_size=nodes**2, max_size=nodes**2)
    matrix = np.array(draw(entries)).reshape(nodes, nodes)
    matrix[0, 1] += 1  # so that there is traffic
    return hybrid, from_matrix(matrix * 1000), draw(st.integers(0, min(hybrid.max_circuits, 3)))


@settings(deadline=None, max_examples=15)
@given(small())
def test_any_small_network_gets_its_best_circuits(drawn):
    hybrid, work, most = drawn
    found = assign_circuits(hybrid, work.message_list(), most)
    assert (found.bottleneck_ns, found.total_ns) == least_times(FluidModel(hybrid, work.message_list()), most)
    assert found.bound_ns == found.bottleneck_ns


def test_the_stencil_of_the_paper_gets_an_optimal_bottleneck():
    # With 48 circuits every message between groups has its own, and an inner node has three neighbours in its group:
    # 3 · 320 Mbit at 10 Gbit/s. With 8 there are nodes with four neighbours and no circuit.
    work = stencil(iterations=1).message_list()
    for circuits, bottleneck_ns in ((8, 128_000_000), (48, 96_000_000)):
        found = assign_circuits(Hybrid(), work, circuits)
        assert found.optimal
        assert found.bottleneck_ns == found.bound_ns == bottleneck_ns
        assert found.solver == "none"
        assert found.gap == 0


def test_the_times_are_those_of_the_model_and_start_and_placement_count():
    hybrid, work = Hybrid(2, 4), sparse(8, 3)
    placement = Placement((7, 2, 5, 0, 3, 6, 1, 4))
    found = assign_circuits(hybrid, work.message_list(), 2, placement, start=[Circuits(((0, 4),))])
    times = FluidModel(hybrid, work.message_list()).times(found.circuits, placement)
    assert (times.bottleneck_ns, times.total_ns) == (found.bottleneck_ns, found.total_ns)


def test_workers_do_not_change_the_result():
    work = sparse(16, 3).message_list()
    one, two = (assign_circuits(Hybrid(2, 8), work, 4, workers=workers) for workers in (1, 2))
    assert one.circuits == two.circuits


def test_cp_sat_takes_over_where_gurobipy_is_missing(monkeypatch, capsys):
    load = builtins.__import__

    def without(name, *arguments, **named):
        if name == "gurobipy":
            raise ImportError(name)
        return load(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    hybrid, work, most = CASES["8 nodes, sparse"]
    found = assign_circuits(hybrid, work.message_list(), most, solver="gurobi")
    assert found.solver == "cp_sat"
    assert found.optimal
    assert capsys.readouterr().err == "solver=gurobi: gurobipy is not installed; cp_sat takes over\n"


def test_the_log_of_the_solver_is_shown_on_demand(capfd):
    hybrid, work, most = CASES["8 nodes, sparse"]
    assign_circuits(hybrid, work.message_list(), most, log=True)
    assert "CP-SAT" in capfd.readouterr().out


def test_time_ends_a_search_with_a_valid_bound():
    work = dense(32).message_list()
    found = assign_circuits(Hybrid(4, 8), work, 8, seconds=0.5)
    assert not found.optimal
    assert 0 < found.bound_ns <= found.bottleneck_ns
    assert found.bottleneck_ns == FluidModel(Hybrid(4, 8), work).times(found.circuits).bottleneck_ns


@pytest.mark.parametrize(
    ("changed", "named"),
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
def test_inconsistent_arguments_are_rejected(changed, named):
    arguments = {"hybrid": Hybrid(2, 4), "messages": sparse(8, 3).message_list(), "circuits": 2} | changed
    with pytest.raises(InputError, match=named):
        assign_circuits(**arguments)
