"""Schedule, bundles and trays, checked on the files alone and against the record's metrics."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Layout, Network, PriceList, Site, family_named, family_names
from isoplane.models.families.multi_plane import MultiPlane, with_layout_lengths
from isoplane.models.families.torus import Torus
from isoplane.models.placement import by_switch
from isoplane.objectives.reference.links import cables_of
from isoplane.runs.config.designs import network_of_config
from tests.cases import for_each
from tests.objectives.general.networks import random_network, random_rails
from tests.runs.cli.conftest import composed_config

from .files_of import cents, contents, millimetres, rows

NICS = {ports: 10.01 * ports for ports in (1, 2, 5)}
PRICES = PriceList(cables_usd={1: 9.99, 2.5: 20, 7.125: 31.5, 200: 99}, nics_usd=NICS)
SITE = Site(Layout(aspects=(), switches_per_rack=3), PRICES)
OTHERS = [name for name in family_names() if family_named(name).uses_site and family_named(name).kind != "cubes"]
FAMILIES = sorted(set(OTHERS) - {"fabric", "graph"})  # which need a file


def design_on(network):
    """A design of a network, without circuits."""
    if network.optical is None:
        return Design(network)
    return Design(network, Circuits(), by_switch(network.nodes))


def check_schedule(network):
    """Ports are used once, places are taken once, and all sums are those that the reference computes."""
    files = contents("cabling", design_on(network))
    length_mm, cost_cents = cables_of(network)
    cables = rows(files["schedule.csv"])
    ends = [(row[f"{end}_device"], row[f"{end}_port"]) for row in cables for end in ("from", "to")]
    assert len(set(ends)) == len(ends)
    places = {
        (row[f"{end}_rack"], row[f"{end}_unit"], row[f"{end}_device"]) for row in cables for end in ("from", "to")
    }
    assert len({place[:2] for place in places}) == len({place[2] for place in places}) == len(places)
    between = [row for row in cables if row["kind"] == "switch"]
    assert len(between) == network.family.cables
    assert sum(millimetres(row["length_m"]) for row in between) == length_mm
    materials = rows(files["materials.csv"])
    assert sum(cents(row["price_usd"]) for row in materials) == cost_cents
    assert all(cents(row["price_usd"]) == int(row["count"]) * cents(row["unit_usd"]) for row in materials)
    assert Counter(row["part"] for row in cables) == parts_of(materials)
    cable_cents = sum(cents(row["price_usd"]) for row in materials if row["class"] not in ("switch", "nic"))
    assert sum(cents(row["price_usd"]) for row in cables) == cable_cents


def parts_of(materials):
    """The number of cables of each part that are bought."""
    found = Counter()
    for row in materials:
        if row["class"] not in ("switch", "nic"):
            found[row["part"]] += int(row["count"])
    return found


@for_each("name", FAMILIES)
def test_lengths_and_prices_of_any_family_add_up_to_its_metrics(name):
    network = network_of_config(composed_config("export", f"network={name}", "layout=floor"))
    check_schedule(network)
    from_layout = Network(with_layout_lengths(network.family), network.site)
    check_schedule(from_layout)
    check_lengths(from_layout)


@for_each(
    ("name", "cables", "pairs"),
    [
        ("leaf_spine", "3", {3: 8 * 4}),
        ("fat_tree", "[2,4]", {2: 4 * 2, 4: 4 * 1}),  # 2 pods of 2 edge and 2 aggregation switches, below 2 cores
        ("xgft", "[1,2]", {1: 32 * 4, 2: 32 * 4}),
    ],
)
def test_a_tree_with_parallel_cables_has_a_row_for_each_of_them(name, cables, pairs):
    config = composed_config("export", f"network={name}", "layout=floor", f"network.cables_per_pair={cables}")
    network = network_of_config(config)
    from_layout = Network(with_layout_lengths(network.family), network.site)
    for design in (network, from_layout):
        check_schedule(design)
    check_lengths(from_layout)
    schedule = rows(contents("cabling", design_on(network))["schedule.csv"])
    between = [(row["from_device"], row["to_device"]) for row in schedule if row["kind"] == "switch"]
    assert Counter(Counter(map(frozenset, between)).values()) == pairs


@for_each("links", [1, 2, 4])
def test_racks_hold_whole_nodes_however_many_links_these_have(links):
    # 128 switches with 16 links of nodes each: a rack of 64 nodes holds 4, 8 and (of 16) at most 8 of them
    torus = Torus(shape=(8, 8, 2), nodes_per_switch=16, cable_m=None, node_cable_m=2.0)
    layout = Layout(aspects=(), switches_per_rack=8, nodes_per_rack=64)
    network = Network(MultiPlane(plane=torus, planes=2, links_per_node=links), Site(layout))
    check_schedule(network)
    check_lengths(network)
    assert len(network.floor.names) == {1: 32, 2: 16, 4: 16}[links]


def check_lengths(network):
    """Cables are as long as the racks on the schedule require, those of nodes at least as given, by the catalogue."""
    layout, lengths = network.site.layout, sorted(Fraction(str(each)) for each in network.site.prices.cables_usd)
    pitch = [Fraction(str(each)) for each in (layout.pitch_deep_m, layout.pitch_across_m)]
    for row in rows(contents("cabling", design_on(network))["schedule.csv"]):
        places = [[int(each) for each in row[f"{end}_rack"][1:].split("-")] for end in ("from", "to")]
        apart = sum(abs(a - b) * each for a, b, each in zip(*places, pitch, strict=True))
        if row["kind"] == "switch":
            needed = apart + Fraction(str(layout.slack_m)) if apart else Fraction(str(layout.rack_cable_m))
        else:
            needed = max(Fraction(network.node_cable_mm, 1000), (apart + Fraction(str(layout.slack_m))) * (apart > 0))
        assert Fraction(row["length_m"]) == next(length for length in lengths if length >= needed)
        assert row["remark"] == ""


@given(st.integers(0, 1 << 30), st.booleans())
@settings(deadline=None, max_examples=25)
def test_lengths_and_prices_of_random_planes_add_up_to_their_metrics(seed, rails):
    check_schedule(replace((random_rails if rails else random_network)(seed), site=SITE))
