"""The choice of the search space for given variables."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from isoplane.models import Hybrid, InputError, Network, Site, Variable, dual_cube, family_named
from isoplane.search import Assignments, ConnectionSets, space_of

from .assigned import EIGHT, WORK


class OwnCube(family_named("hypercube")):
    """A user-defined family with the variables of cubes."""

    name: ClassVar[str] = "own_cube"


@dataclass(frozen=True)
class Colours(Variable):
    """A variable that no space covers."""

    def within(self, key, given):
        return self


def test_the_kind_of_variable_determines_the_space():
    site = Site(layout=None)
    for kind in (family_named("hypercube"), OwnCube):
        family = kind.searched({"family": kind.name, "n": 4, "planes": 2, "nodes_per_switch": 2, "generators": None})
        assert space_of(Network(family, site), family.variables) == ConnectionSets(4, False, 2, site)


def test_narrowed_limits_apply_to_the_space():
    given = {"circuits": 2, "placement": "by_switch"}
    variables = {key: variable.within(key, given[key]) for key, variable in EIGHT.variables.items()}
    assert space_of(Network(EIGHT), variables, WORK) == Assignments(EIGHT, WORK, 2, "by_switch")
    assert space_of(Network(EIGHT), EIGHT.variables, WORK) == Assignments(EIGHT, WORK, EIGHT.max_circuits, "free")


def test_circuits_need_a_workload():
    with pytest.raises(InputError, match="workload=null: expected the workload"):
        space_of(Network(Hybrid(2, 2)), Hybrid(2, 2).variables)


@pytest.mark.parametrize(("variables", "named"), [({}, "anything"), ({"colours": Colours()}, "colours")])
def test_variables_without_a_space_are_rejected_in_one_line(variables, named):
    with pytest.raises(InputError, match=f"network=hypercube: no search varies {named} of it; expected networks"):
        space_of(dual_cube(3, (1, 2, 4)), variables)
