"""What Gurobi refuses: for want of a licence CP-SAT takes over, anything else is told as what it is."""

import sys
from types import SimpleNamespace

import pytest

from isoplane.models import InputError
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import sparse
from isoplane.search.programs import assign_circuits


class GurobiError(Exception):
    """As gurobipy has it: a message and a number."""

    def __init__(self, errno, message):
        super().__init__(message)
        self.errno = errno


def failing(monkeypatch, errno, message):
    """Replace gurobipy by one that fails."""

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
def test_cp_sat_takes_over_for_want_of_a_licence(monkeypatch, capsys, errno, message):
    failing(monkeypatch, errno, message)
    found = assign()
    assert found.solver == "cp_sat"
    assert found.optimal
    said = f"solver=gurobi: gurobipy has no licence for this program ({message}); cp_sat takes over\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("errno", "message"), [(10001, "Out of memory"), (10020, "Problem\nwith Q")])
def test_any_other_error_is_told_in_one_line(monkeypatch, errno, message):
    failing(monkeypatch, errno, message)
    with pytest.raises(InputError) as caught:
        assign()
    said = " ".join(message.split())
    assert str(caught.value) == f"solver=gurobi: {said} (error {errno}); expected cp_sat, highs"
