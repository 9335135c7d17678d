"""Sample records for the tests."""

import copy
from functools import lru_cache

from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Design, Layout, Network, PriceList, SwitchModel, dual_cube
from isoplane.objectives import CUBES, Evaluation, Lexicographic
from isoplane.runs.records import Record, record_of
from tests.strategies import bases_up_to

ORIGIN = {
    "revision": "0" * 40,
    "uncommitted_changes": False,
    "seed": 1,
    "strategy": "anneal",
    "versions": {"isoplane": "0.1.0"},
    "config": {"stop": {"evaluations": 1000}},
}
# The second component exceeds 2^53 for the default network of `sample`, so that a float cannot hold it exactly.
OBJECTIVE = Lexicographic(
    "everything", (("sum_of_distances", "max_load"), ("delay", "cost"), ("delay_paper", "cable_length")), CUBES
)
SOURCE = {"by": "enumeration", "file": "enumeration-hypercube-n5.json", "sha256": "0" * 64}  # no such file exists
LAYOUT = Layout("deep", 2, (1, 4, 2), 0.6, 1.25, 1.5, 0.5, 2.5)
PRICES = PriceList("cheap", {0.5: 1.25, 3.0: 99, 20: 100.5, 200: 300}, {2: 77.77}, 12.34)
SWITCH = SwitchModel("odd", 33.3, 4.7, 100.001)


def network_of_dimension_5(**site) -> Network:
    return dual_cube(5, (7, 11, 19, 29, 30), **site)


def sample(network: Network | None = None, objective: Lexicographic = OBJECTIVE, *, optimal: bool = False) -> Record:
    """A record of its own of a network, by default of one with n = 5 and a layout."""
    return copy.deepcopy(_sample(network_of_dimension_5() if network is None else network, objective, optimal))


@lru_cache(maxsize=8)
def _sample(network: Network, objective: Lexicographic, optimal: bool) -> Record:
    """Return the record of `sample`; tests begin with the same ones again and again."""
    design = Design(network)
    evaluation = objective(design)
    if optimal:
        evaluation = Evaluation(evaluation.score, evaluation.score_names, evaluation.score, evaluation.metrics)
    status, origin = ("optimal", ORIGIN | {"strategy": "exact"}) if optimal else ("feasible", ORIGIN)
    return record_of(design, evaluation, objective=objective.name, status=status, provenance=origin)


def networks(n: int) -> st.SearchStrategy[Network]:
    """Dual cubes of both families up to dimension n, with the site of the paper, another site, or no layout."""

    def build(connections: ConnectionSet, folded: bool, site: dict[str, object]) -> Network:
        return dual_cube(connections.n, connections.generators, folded, **site)

    other_site = {"layout": LAYOUT, "prices": PRICES, "switch": SWITCH, "nodes_per_switch": 3}
    return st.builds(build, bases_up_to(n), st.booleans(), st.sampled_from([{}, {"layout": None}, other_site]))
