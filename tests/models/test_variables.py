"""What families let a search vary, and how a config narrows it."""

import pytest

from isoplane.models import (
    BasisVariable,
    CircuitsVariable,
    Hybrid,
    InputError,
    PlacementVariable,
    dual_cube,
    family_named,
    family_names,
)


def test_cubes_let_the_basis_of_their_dimension_vary_and_hybrids_circuits_and_placement():
    assert dual_cube(3, (3, 5, 7)).family.variables == {"generators": BasisVariable(3)}
    hybrid = Hybrid(2, 4, ports_per_node=3)  # 8 nodes with 3 ports each have 12 circuits at most
    assert hybrid.variables == {"circuits": CircuitsVariable(3, 12), "placement": PlacementVariable(8, "free")}


def test_three_of_the_built_in_families_have_something_to_vary():
    own = [name for name in family_names() if family_named(name).has_variables()]
    assert own == ["folded_hypercube", "hybrid", "hypercube"]


def test_a_config_narrows_the_limits():
    assert CircuitsVariable(1, 4).within("circuits", None) == CircuitsVariable(1, 4)
    assert CircuitsVariable(1, 4).within("circuits", 0) == CircuitsVariable(1, 0)
    assert PlacementVariable(8).within("placement", "by_communication").by == "by_communication"


@pytest.mark.parametrize(
    ("variable", "given", "message"),
    [
        (BasisVariable(3), [3, 5, 7], r"network.x=\[3, 5, 7\]: a search finds them; expected null"),
        (CircuitsVariable(1, 4), 5, "network.x=5: expected an integer from 0 to 4"),
        (CircuitsVariable(1, 4), [[0, 4]], "a search finds them; expected how many there are at most"),
        (PlacementVariable(8), None, "network.x=null: expected by_switch, by_communication, free"),
        (PlacementVariable(8), "home", "network.x=home: expected by_switch"),
    ],
)
def test_what_is_no_narrower_limit_is_refused(variable, given, message):
    with pytest.raises(InputError, match=message):
        variable.within("x", given)
