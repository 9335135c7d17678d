"""The choice of the search space for given variables."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Hybrid, Network, Site, Variable, dual_cube, family_named
from isoplane.search import CircuitSpace, ConnectionSets, space_of
from tests.cases import for_each, require_refusal

from .assigned import EIGHT_NODES, WORKLOAD

SITE = Site(layout=None)


@dataclass(frozen=True)
class Colours(Variable):
    """A variable that no space covers."""

    scope: ClassVar[str] = "all colourings"

    def within(self, key, given):
        return self


def test_the_kind_of_variable_determines_the_space():
    kind = family_named("hypercube")
    family = kind.read({"n": 4, "planes": 2, "nodes_per_switch": 2, **kind.search_start})
    assert space_of(Network(family, SITE), family.variables) == ConnectionSets(4, False, 2, SITE)


def test_narrowed_limits_apply_to_the_space():
    given = {"circuits": 2, "placement": "by_switch"}
    variables = {key: variable.within(key, given[key]) for key, variable in EIGHT_NODES.variables.items()}
    assert space_of(Network(EIGHT_NODES), variables, WORKLOAD) == CircuitSpace(EIGHT_NODES, WORKLOAD, 2, "by_switch")
    assert space_of(Network(EIGHT_NODES), EIGHT_NODES.variables, WORKLOAD) == CircuitSpace(
        EIGHT_NODES, WORKLOAD, EIGHT_NODES.max_circuits, "free"
    )


def test_circuits_need_a_workload():
    hybrid = Hybrid(2, 2)
    require_refusal(lambda: space_of(Network(hybrid), hybrid.variables), "workload=null: expected the workload")


@for_each(("variables", "words"), [({}, "anything"), ({"colours": Colours()}, "colours")])
def test_variables_without_a_space_are_rejected_in_one_line(variables, words):
    cube = dual_cube(3, (1, 2, 4))
    require_refusal(lambda: space_of(cube, variables), f"network=hypercube: no search varies {words} in it; expected")
