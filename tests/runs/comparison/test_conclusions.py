"""What stands beside the cheapest design: throughputs without one, what is proven, and tables for OpenSM."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.runs.comparison.compared_design import size
from isoplane.runs.comparison.conclusions import budget_texts, conclusions, sentence
from isoplane.runs.comparison.existing import existing_in
from isoplane.runs.comparison.fronts import PRICE
from isoplane.runs.comparison.kept_calls import FORMS
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import compare, sized_and_measured
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.price_bound import price_bound
from isoplane.runs.comparison.tables import assumptions, json_text
from isoplane.runs.config.config_values import plain
from tests.cases import for_each
from tests.runs.cli.conftest import composed_config
from tests.runs.comparison.test_existing import SMALL, rows_of, written_record

WORDS = ("nodes=64", "ports=16", "failures=none", "planes=1")


def run(function, jobs):
    """Call a function on each job, as a fleet does."""
    return enumerate(map(function, jobs))


def concluded(*words):
    """The request, the rows and the sentences of a comparison."""
    request = request_of(plain(composed_config("compare", *WORDS, *words)))
    *_, (_, rows) = compare(request, run)
    return request, rows, conclusions(request, rows)


def test_throughputs_without_a_design_are_named_first_with_the_nearest_price():
    words = ("families=[hyperx,full_mesh]", "throughput=[0.95,0.9,0.5]")
    free = concluded(*words)[1]
    prices = {row.least: row.values["cost_usd_per_node"] for row in reversed(free)}  # the lowest ones
    limit = (prices[Fraction(1, 2)] + prices[Fraction(9, 10)]) // 2
    _, rows, (first, second, *rest) = concluded(*words, f"budget_usd_per_node={limit:.0f}")
    assert next(row for row in rows if row.design).least == Fraction(1, 2)
    assert first.startswith("No design has 95 % within the limits. Nearest: hyperx, 1 plane: ")
    assert f" costs {prices[Fraction(9, 10)]:,.2f} US$ per node, " in second
    assert second.startswith("No design has 90 % ")
    assert f" above the limit of {limit:,.0f}. " in second
    assert not any("No design has" in text for text in rest)


def test_the_bound_on_the_price_of_all_networks_is_said_with_the_distance_from_it():
    request, rows, (text,) = concluded("families=[hyperx,full_mesh]", "throughput=0.9")
    bound, price = price_bound(request, Fraction(9, 10)) / 6400, rows[0].values["cost_usd_per_node"]
    assert f" has 90 % for less than {int(bound):,} US$ per node, {100 * (price - bound) / price:.1f} % below" in text
    assert text.endswith("this is the cheapest of the sizes laid out of 2 families.")


def test_without_a_design_a_budget_below_the_bound_is_proven_to_be_too_low_and_another_one_is_open():
    # The words have the budget in whole cents per node: those of the bound are the first that no proof excludes.
    words = ("families=hyperx", "throughput=0.9")
    per_node = -(-price_bound(concluded(*words)[0], Fraction(9, 10)) // 64)
    for cents, said in (
        (per_node - 1, f" meets the limit of {(per_node - 1) / 100:,.2f}."),
        (per_node, "Not proven: "),
    ):
        (text,) = concluded(*words, f"budget_usd_per_node={cents / 100}")[2]
        assert f"{said}" in text
        assert ("so that none" in text) == (cents < per_node)


def test_a_search_is_named_where_it_applies_and_was_not_asked_for():
    for words, is_named in (((), False), (("node_ports=1",), True), (("node_ports=1", "search=1"), False)):
        request = request_of(plain(composed_config("compare", *WORDS, "families=full_mesh", *words)))
        (text,) = conclusions(request, [])[:1]
        assert text.endswith("search=60 also tries networks of no family, which are often cheaper.") == is_named


def test_a_network_that_costs_nothing_has_no_distance_from_the_bound():
    cables, adapters = "[{length_m:100,price_usd:0}]", "[{ports:1,price_usd:0}]"
    free = (f"prices.cables_usd={cables}", f"prices.nics_usd={adapters}", "prices.switch_port_usd=0")
    (text, *_) = concluded("families=full_mesh", "throughput=0.9", "prices=infiniband_edr", *free)[2]
    assert " has 90 % for less than 0 US$ per node. Not proven" in text


def test_a_cheapest_design_without_tables_for_opensm_names_the_cheapest_one_that_has_them():
    _, rows, (*_, text) = concluded("families=[dragonfly,random_regular]", "throughput=0.9")
    assert [row.values["opensm"] for row in rows] == [0, 1]
    price = rows[1].values["cost_usd_per_node"]
    assert text.endswith(f"the cheapest it can load: dragonfly, 1 plane: 4x8, at {price:,.0f} US$ per node.")
    assert concluded("families=random_regular", "throughput=0.9")[2][-1].endswith("nor those of any design here.")


def test_designs_with_tables_for_opensm_that_cost_the_same_are_all_named():
    # One network, which is the cheapest with tables: a HyperX has more detours than a dragonfly.
    words = ("nodes=40", "ports=11", "families=[dragonfly,hyperx,random_regular]", "throughput=0.9")
    _, rows, (_, text) = concluded(*words)
    assert [row.values["opensm"] for row in rows] == [0, 1, 1]
    assert rows[1].values[PRICE] == rows[2].values[PRICE]
    assert rows[2].same_as is rows[1]
    assert ": dragonfly, 1 plane: 4x5 or hyperx, 1 plane: 5x4, at " in text


def test_more_nodes_that_cost_less_in_all_are_named():
    # Six full switches of six nodes carry 36 / 36 over each cable, and 35 / 36 of 35 nodes: these take seven switches.
    words = ("ports=11", "node_ports=1", "families=hyperx", "throughput=1")
    (full,) = concluded("nodes=36", *words)[1]
    _, (row,), (_, said) = concluded("nodes=35", *words)
    assert (row.values["switches"], row.values["more_nodes"]) == (7, 36)
    assert row.values["more_nodes_usd"] == full.values["cost_usd"] < row.values["cost_usd"]
    less, price = row.values["cost_usd"] - full.values["cost_usd"], f"{full.values['cost_usd']:,.0f} US$ in all"
    than = "than the cheapest design with 100 %"
    assert said.startswith(f"36 nodes would cost {less:,.0f} US$ less in all {than}: hyperx, 1 plane: 6, at {price}, ")
    assert said.endswith(" has 100 % with all of them, but not with the 35 requested alone.")
    _, (row,), (_, said) = concluded("nodes=35", *words, f"budget_usd={full.values['cost_usd'] + 0.01}")
    assert row.design is None
    assert said.startswith(f"36 nodes would be within the limits: hyperx, 1 plane: 6, at {price}, ")
    _, (row,), said = concluded("nodes=35", *words, f"budget_usd={full.values['cost_usd']}")
    assert len(said) == 1
    write, read = FORMS[sized_and_measured]
    for each in (
        row.miss,
        full.design,
        replace(row.miss, larger=full.design),
        replace(full.design, larger=full.design),
    ):
        assert read(json.loads(json.dumps(write(((each,), {}))))) == ((each,), {})


ONE = ("families=hyperx", "throughput=0.9")
FEW = ("nodes=24", "ports=9")


@for_each(
    ("words", "option", "limit", "step"),
    [
        (ONE, "budget_usd_per_node", 100, -0.01),
        (ONE, "cable_m", 1, -0.001),
        (("families=torus", "throughput=0.25"), "diameter", 1, -1),
        (("families=[torus,leaf_spine]", "throughput=0.5"), "switches", 4, -1),
    ],
)
def test_a_limit_that_is_moved_as_far_as_is_said_leaves_room_for_the_nearest_design(words, option, limit, step):
    _, rows, (text,) = concluded(*FEW, *words, f"{option}={limit}")
    assert [row.miss.order for row in rows] == sorted(row.miss.order for row in rows)
    numbers = re.findall(r"\d[\d,]*\.?\d*", rows[0].reason)
    value, excess, shown = (float(number.replace(",", "")) for number in numbers)
    assert shown == limit
    assert abs(value - limit) == pytest.approx(excess)
    assert f"{rows[0].reason}. Proven: " in text
    moved, less = (concluded(*FEW, *words, f"{option}={each:g}")[1] for each in (value, value + step))
    assert moved[0].design
    assert not less[0].design


def test_limits_that_are_in_the_way_alone_have_a_nearest_design_each_before_those_that_are_together():
    words = ("families=[torus,full_mesh]", "throughput=0.9")
    designs = {row.arrangement.family: row.values for row in concluded(*words)[1]}
    price, length = ({name: values[key] for name, values in designs.items()} for key in (PRICE, "longest_cable_m"))
    assert price["full_mesh"] < price["torus"]
    assert length["full_mesh"] > length["torus"]
    for usd, far, named in (
        (price["full_mesh"] + 1, ("cable",), ["torus", "full_mesh"]),
        (price["full_mesh"] - 1, ("price", "cable"), ["torus"]),
    ):
        limits = (f"budget_usd_per_node={usd}", f"cable_m={length['torus']:g}")
        _, rows, (text,) = concluded(*words, *limits)
        assert [row.miss.limits for row in rows] == [("price",), far]
        assert [row.arrangement.family for row in rows if row.reason in text] == named


@for_each("family", ["hyperx", "full_mesh"])
def test_a_budget_names_the_highest_throughput_steps_above_it_and_prices_that_exceed_it(family):
    words = (f"families={family}", "throughput=[0.9,0.5]")
    request, rows, _ = concluded(*words)
    assert list(budget_texts(request, rows)) == []
    price = rows[0].values[PRICE]
    request, rows, _ = concluded(*words, f"budget_usd_per_node={price + 1:.0f}")
    highest, above = budget_texts(request, rows)
    reached = max(min(1, row.values["throughput"], row.values["throughput_requested"]) for row in rows if row.design)
    assert f", with {100 * reached:.1f} % at " in highest
    steps = ",".join(f"{step:g}" for step in (1, 0.95) if step > reached)  # which no bound excludes here
    assert highest.partition("'throughput=")[2].partition("'")[0] == (f"[{steps}]" if steps else "")
    high = rows[0].values["cost_high_usd_per_node"]
    assert f" costs {high:,.0f} US$ per node, above the budget of {price + 1:,.0f} US$" in above


@for_each(("built", "family"), [("hypercube", "mesh"), ("mesh", "hypercube")])
def test_what_the_cheapest_design_saves_over_an_existing_one_is_said_below_the_headline(built, family, tmp_path):
    file = tmp_path / "hypercube-n3-aspl_and_traffic-0123456789ab.json"
    design = size(Arrangement(built, 2), SMALL, Fraction(1, 2)).family
    existing = existing_in(written_record(file, design))
    assert existing[0].title == "existing hypercub...456789ab"
    request = replace(SMALL, planes=(2,), families=(family,), existing=(str(file),))
    rows = rows_of(request, existing)
    best = next(row for row in rows if row.least is not None and row.design)
    (price, switches), (other, others) = (
        (row.values["cost_usd_per_node"], row.values["switches"]) for row in (rows[0], best)
    )
    is_dearer = other > price
    assert is_dearer == (family == "mesh")
    headline, (said, *_) = sentence(request, rows), conclusions(request, rows)
    assert headline.startswith(f"The cheapest {'sized ' if is_dearer else ''}design with at least ")
    assert "existing" not in headline
    bound = price_bound(request, Fraction(1, 2)) / 100 / request.nodes
    usd, percent, word = abs(price - other), 100 * abs(price - other) / price, "more" if is_dearer else "less"
    assert f" costs {usd:,.0f} US$ per node ({percent:.1f} %) {word} and has " in said
    assert f" and has {abs(switches - others)} switches {'more' if others > switches else 'fewer'}; " in said
    below = f", {100 * (price - bound) / price:.1f} % below the existing design."
    assert said.endswith(f"; 50 % costs at least {int(bound):,} US$ per node in any network{below}")
    (saved,) = (row["cheapest_design_saves"] for row in json.loads(json_text(request, rows))["rows"][:1])
    assert saved == pytest.approx(
        {"usd_per_node": price - other, "percent": 100 * (price - other) / price, "switches": switches - others}
    )
    assert sum(str(file) in text for text in (said, *assumptions(request, rows))) == 1
    assert page(request, rows).count("price, existing hypercub...456789ab") == 1
