"""Search variables of families, and their limits in configs."""

import pytest

from isoplane.models import (
    BasisVariable,
    CircuitsVariable,
    Family,
    Hybrid,
    InputError,
    PlacementVariable,
    dual_cube,
    family_named,
    family_names,
)
from tests.cases import for_each


def test_the_variable_of_cubes_is_the_basis_and_those_of_hybrids_are_circuits_and_placement():
    assert dual_cube(3, (3, 5, 7)).family.variables == {"generators": BasisVariable(3)}
    hybrid = Hybrid(2, 4, ports_per_node=3)  # 8 nodes with 3 ports each have at most 12 circuits
    assert hybrid.variables == {"circuits": CircuitsVariable(3, 12), "placement": PlacementVariable(8, "free")}


def test_three_of_the_built_in_families_have_variables():
    names = [name for name in family_names() if family_named(name).variables is not Family.variables]
    assert names == ["folded_hypercube", "hybrid", "hypercube", "optical_overlay"]


def test_a_config_narrows_the_limits():
    assert CircuitsVariable(1, 4).within("circuits", None) == CircuitsVariable(1, 4)
    assert CircuitsVariable(1, 4).within("circuits", 0) == CircuitsVariable(1, 0)
    assert PlacementVariable(8).within("placement", "by_communication").by == "by_communication"


@for_each(
    ("variable", "limit", "message"),
    [
        (BasisVariable(3), [3, 5, 7], r"network.x=\[3, 5, 7\]: the search determines them; expected null"),
        (CircuitsVariable(1, 4), 5, "network.x=5: expected an integer from 0 to 4"),
        (CircuitsVariable(1, 4), [[0, 4]], "the search determines them; expected their maximum number"),
        (PlacementVariable(8), None, "network.x=null: expected by_switch, by_communication, free"),
        (PlacementVariable(8), "home", "network.x=home: expected by_switch"),
    ],
)
def test_an_invalid_limit_is_rejected(variable, limit, message):
    with pytest.raises(InputError, match=message):
        variable.within("x", limit)
