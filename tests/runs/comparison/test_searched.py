"""Networks that a search finds, beside the families of a comparison."""

from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.models import InputError
from isoplane.models.families.host_graph import HostGraph
from isoplane.objectives.bounds.distance_bound import least_host_hops
from isoplane.objectives.general import GeneralExact
from isoplane.runs.cli.keywords import config_from
from isoplane.runs.comparison.conclusions import conclusions
from isoplane.runs.comparison.groups import groups
from isoplane.runs.comparison.kept_calls import FORMS
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import _searched, sized_and_measured
from isoplane.runs.comparison.tables import assumptions, flat_row
from isoplane.runs.records import design_of_record, verify
from tests.cases import for_each
from tests.runs.comparison.test_existing import rows_of
from tests.runs.comparison.test_sizing import REQUEST

TINY = replace(
    REQUEST, nodes=16, ports=8, families=("full_mesh", "hyperx"), throughputs=(Fraction(9, 10), Fraction(1, 2))
)
SITE = REQUEST.site
SCOPES = {group.scope for group in groups()}
SEARCH = replace(TINY, search=Fraction(3, 10))


@pytest.fixture(scope="module")
def rows():
    return rows_of(SEARCH, ())


@pytest.fixture(scope="module")
def found(rows):
    return [row for row in rows if row.arrangement.searched]


def test_a_search_changes_no_row_of_a_family(rows):
    without = rows_of(TINY, ())
    families = [row for row in rows if not row.arrangement.searched]
    assert len(families) == len(rows) - len(TINY.throughputs) == len(without)
    assert [replace(row, same_as=None) for row in families] == [replace(row, same_as=None) for row in without]


def test_what_is_found_has_the_throughput_in_all_columns_of_its_group(found):
    assert [row.least for row in found] == list(TINY.throughputs)
    for row in found:
        family = row.design.family
        exact = GeneralExact(design_of_record(row.record).network)
        assert (family.name, family.nodes, family.ports) == (HostGraph.name, TINY.nodes, TINY.ports)
        assert row.values["throughput"] == exact.parts * TINY.nodes / (exact.peak_load * 2) >= row.least
        assert row.values["aspl"] == exact.total_hops / TINY.nodes**2 >= least_host_hops(16, 8, 2) / 256
        assert flat_row(row)["family"] == HostGraph.name
    first, other = found
    assert {group.scope for group in groups() if {each.key for each in group.columns} & set(first.values)} == SCOPES
    assert set(other.values) < set(first.values)


def test_its_record_is_verified_and_says_how_it_was_found(rows, found):
    for row in found:
        assert verify(row.record) == []
        assert design_of_record(row.record).network.family == row.design.family
    origins = [row.record["provenance"] for row in rows if row.record]
    assert {origin["seed"] for origin in origins} == {SEARCH.seed}
    assert {origin["config"].get("search") for origin in origins} == {None, 0.3}
    assert [origin["config"]["search"] for origin in origins if "search" in origin["config"]] == [0.3, 0.3]


def test_the_page_says_that_it_is_found_by_a_heuristic(rows, blank_charts):
    text = page(SEARCH, rows)
    assert "host graph, 2 planes, found by search: 16/8" in text
    assert "by a heuristic of 0.3 s with seed" in text
    assert any("and of what a search of 0.3 s found" in sentence for sentence in conclusions(SEARCH, rows))
    assert len(assumptions(SEARCH)) == len(assumptions(TINY)) + 1


def test_an_interrupted_comparison_keeps_what_it_found():
    (arrangement,) = _searched(SEARCH)
    result = sized_and_measured((arrangement, SEARCH))
    write, read = FORMS[sized_and_measured]
    assert read(write(result)) == result


@for_each(
    ("limits", "reason"),
    [
        ({"budget_cents": 16 * 100_00}, "US$ per node"),
        ({"diameter": 1, "ports": 4, "throughputs": (Fraction(1),)}, "none within the limits in its time"),
        ({"switches": 1}, "none within the limits in its time"),
        ({"cable_mm": 1}, "none within the limits in its time"),
        ({"site": replace(SITE, prices=replace(SITE.prices, cables_usd={0.5: 10}))}, "not searched: a cable of"),
    ],
)
def test_limits_that_no_network_meets_leave_a_reason(limits, reason):
    request = replace(SEARCH, families=(), throughputs=(Fraction(1, 2),), search=Fraction(1, 10), failures="none")
    (row,) = rows_of(replace(request, **limits), ())
    assert row.design is None
    assert reason in row.reason


@for_each(
    ("options", "message"),
    [
        ({"search": 0}, "search=0: expected a number above 0"),
        ({"nodes": 2}, "nodes=2: expected at least 3 with search=1"),
        ({"ports": 2}, "ports=2: expected at least 3 with search=1"),
        ({"node_ports": 4, "planes": [2]}, r"planes=\[2\]: search=1 has a link of a node in each plane; expected 4"),
        ({"nodes": 100_000, "ports": 4}, "ports=4: 4096 switches carry 8194 nodes"),
    ],
)
def test_a_search_without_networks_is_refused(options, message):
    config, _ = config_from("compare", {"nodes": 16, "ports": 8, "search": 1, **options})
    with pytest.raises(InputError, match=f"^{message}"):
        request_of(config)
