"""Gurobi errors: without a licence CP-SAT takes over; any other error is reported."""

import sys
from types import SimpleNamespace

import pytest

from isoplane.models import InputError
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import sparse
from isoplane.search.programs import assign_circuits


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
    with pytest.raises(InputError) as caught:
        assign()
    expected = " ".join(message.split())
    assert str(caught.value) == f"solver=gurobi: {expected} (error {errno}); expected cp_sat, highs"
