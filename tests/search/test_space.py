"""The choice of the search space for given variables."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from isoplane.models import Hybrid, InputError, Network, Site, Variable, dual_cube, family_named
from isoplane.objectives import CUBES, Lexicographic
from isoplane.search import Anneal, Assignments, ConnectionSets, Limits, solve, space_of
from tests.cases import for_each

from .assigned import EIGHT_NODES, WORKLOAD

SITE = Site(layout=None)


class OwnCube(family_named("hypercube")):
    """A user-defined family with the variables of cubes."""

    name: ClassVar[str] = "own_cube"


@dataclass(frozen=True)
class Colours(Variable):
    """A variable that no space covers."""

    scope: ClassVar[str] = "all colourings"

    def within(self, key, given):
        return self


def own_cube_space(kind):
    family = kind.read({"n": 4, "planes": 2, "nodes_per_switch": 2, **kind.search_start})
    return space_of(Network(family, SITE), family.variables)


def test_the_kind_of_variable_determines_the_space():
    assert own_cube_space(family_named("hypercube")) == ConnectionSets(4, False, 2, SITE)
    assert isinstance(own_cube_space(OwnCube), ConnectionSets)


def test_designs_belong_to_the_family_that_is_searched():
    builtin, user_defined = own_cube_space(family_named("hypercube")), own_cube_space(OwnCube)
    design = user_defined.design((3, 5, 9, 1))
    assert design.network.name == user_defined.baseline.network.name == "own_cube"
    assert design.network.family.planes == builtin.design((3, 5, 9, 1)).network.family.planes
    objective = Lexicographic("distances", (("sum_of_distances",),), CUBES)
    assert objective(design).score == objective(builtin.design((3, 5, 9, 1))).score
    found = list(solve(user_defined, objective, Anneal(chains=1), Limits(evaluations=1000), 1))[-1]
    assert found.design.network.name == "own_cube"


def test_narrowed_limits_apply_to_the_space():
    given = {"circuits": 2, "placement": "by_switch"}
    variables = {key: variable.within(key, given[key]) for key, variable in EIGHT_NODES.variables.items()}
    assert space_of(Network(EIGHT_NODES), variables, WORKLOAD) == Assignments(EIGHT_NODES, WORKLOAD, 2, "by_switch")
    assert space_of(Network(EIGHT_NODES), EIGHT_NODES.variables, WORKLOAD) == Assignments(
        EIGHT_NODES, WORKLOAD, EIGHT_NODES.max_circuits, "free"
    )


def test_circuits_need_a_workload():
    with pytest.raises(InputError, match="workload=null: expected the workload"):
        space_of(Network(Hybrid(2, 2)), Hybrid(2, 2).variables)


@for_each(("variables", "words"), [({}, "anything"), ({"colours": Colours()}, "colours")])
def test_variables_without_a_space_are_rejected_in_one_line(variables, words):
    with pytest.raises(InputError, match=f"network=hypercube: no search varies {words} in it; expected networks"):
        space_of(dual_cube(3, (1, 2, 4)), variables)
