"""A bound that relies on a stored enumeration names it; a bound from certificates or a search alone does not."""

import json
from hashlib import sha256
from itertools import product

from isoplane.models import Site
from isoplane.objectives import CUBE_METRICS
from isoplane.objectives.bounds import enumeration_behind, metric_bound, stored_enumeration
from isoplane.objectives.bounds.certificates import DATA, proven, read_certificate
from isoplane.objectives.bounds.distance_bound import certified_program
from isoplane.search import Anneal, ConnectionSets, Exact, Limits
from tests.cases import for_each
from tests.search.cases import OBJECTIVES, search

FAMILIES = (False, True)
STORED = sorted(DATA.glob("enumeration-*.json"))


def dimension_and_family(path):
    proof = json.loads(path.read_text(encoding="utf-8"))
    return proof["n"], proof["folded"]


def certified_sum(n, folded):
    name, program = certified_program(n, folded)
    return proven(program, read_certificate(name, n, folded)["multipliers"])


@for_each("path", STORED)
def test_a_stored_enumeration_is_named_with_the_hash_of_its_bytes(path):
    source = stored_enumeration(*dimension_and_family(path))
    assert (source.by, source.file, source.sha256) == ("enumeration", path.name, sha256(path.read_bytes()).hexdigest())


def test_without_a_stored_enumeration_none_is_named():
    available = set(map(dimension_and_family, STORED))
    for n, folded in set(product(range(2, 17), FAMILIES)) - available:
        assert stored_enumeration(n, folded) is None
        assert enumeration_behind(CUBE_METRICS[:2], ConnectionSets(n, folded, site=Site(layout=None)).identical) is None


@for_each("path", STORED)
def test_sums_and_loads_rely_on_an_enumeration_if_it_tightens_their_bounds(path):
    n, folded = dimension_and_family(path)
    network = ConnectionSets(n, folded).identical
    certified, links = certified_sum(n, folded), n + folded
    assert metric_bound("sum_of_distances", network) > certified
    assert enumeration_behind(["sum_of_distances"], network) == stored_enumeration(n, folded)
    certified_load = -(-certified // links)  # all loads add up to twice the sum
    is_tightened = metric_bound("max_load", network) > certified_load
    assert (enumeration_behind(["max_load"], network) is not None) == is_tightened
    for metric in ("cable_length", "cost"):  # bounded by the greedy bases alone
        assert enumeration_behind([metric], network) is None


@for_each(
    ("n", "folded", "objective", "is_named"),
    [
        (8, False, "aspl", True),  # 800; the certificate proves 795
        (8, False, "max_traffic", False),  # 100 = 795 / 8 rounded up
        (9, False, "max_traffic", True),  # 1828 / 9 rounded up is 204, 1817 / 9 is 202
        (8, False, "aspl_and_traffic", True),
        (8, True, "cable_length", False),
        (9, True, "aspl", False),  # 1598 is certified
        (10, False, "aspl", False),
    ],
)
def test_a_stopped_search_names_the_source_of_its_initial_bound(n, folded, objective, is_named):
    run = search(ConnectionSets(n, folded), OBJECTIVES[objective], Anneal(), Limits(evaluations=2000))
    expected = stored_enumeration(n, folded) if is_named else None
    assert {solution.proof.source for solution in run.solutions} == {expected}


def test_a_complete_search_without_cables_relies_on_itself():
    space = ConnectionSets(7, site=Site(layout=None))
    run = search(space, OBJECTIVES["aspl"], Exact())
    assert run.solutions[0].proof.source == stored_enumeration(7, False)
    assert (run.last.complete, run.last.status, run.last.proof.source) == (True, "optimal", None)


@for_each(("objective", "is_named"), [("aspl_and_traffic", True), ("cable_length", False)])
def test_a_complete_search_with_cables_relies_on_the_bounds_of_its_metrics(objective, is_named):
    run = search(ConnectionSets(7), OBJECTIVES[objective], Exact())
    assert (run.last.complete, run.last.status) == (True, "optimal")
    assert run.last.proof.source == (stored_enumeration(7, False) if is_named else None)
