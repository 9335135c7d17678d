"""The order of moves between two wirings, and schedules checked against the metrics of their records."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Layout, Network, PriceList, Site, family_named, family_names
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.placement import by_switch
from isoplane.objectives.reference.links import cables_of
from isoplane.runs.config.designs import site_of
from isoplane.runs.exports.cabling import move_walk
from isoplane.runs.exports.cabling.moves import plan_moves
from isoplane.runs.exports.cabling.plugged_plane import Cable
from tests.cases import for_each
from tests.objectives.general.networks import random_network, random_rails
from tests.runs.cli.conftest import composed_config

from .files_of import cents, contents, millimetres, rows


def parts(switches, cables):
    """The number of connected parts, by relabelling the ends of each cable."""
    label = list(range(switches))
    for cable in cables:
        (a, _), (b, _) = cable.ends
        label = [label[a] if each == label[b] else each for each in label]
    return len(set(label))


def matched(ends):
    """Cables between consecutive ends."""
    return frozenset(Cable(tuple(sorted(pair)), True) for pair in zip(ends[::2], ends[1::2], strict=False))


@st.composite
def wirings(draw, most_moved):
    """Two connected wirings of the ports of a few switches, of which some cables agree."""
    switches, ports = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    ends = [(switch, port) for switch in range(switches) for port in range(1, ports + 1)]
    old = draw(st.permutations(ends))
    at = draw(st.lists(st.integers(0, len(ends) - 1), unique=True, min_size=2, max_size=2 * most_moved))
    new = list(old)
    for place, other in zip(at, draw(st.permutations(at)), strict=True):
        new[place] = old[other]
    found = matched(old), matched(new)
    assume(all(parts(switches, each) == 1 for each in found))
    assume(0 < len(found[0] - found[1]) <= most_moved)
    return switches, *found


def walk(switches, old, new, actions):
    """The number of parts after each action; ports are free when they are used, and the walk ends at the new wiring."""
    plugged, found = set(old), []
    for action in actions:
        if action.plug:
            used = {end for cable in plugged for end in cable.ends}
            assert not used & set(action.cable.ends)
            plugged.add(action.cable)
        else:
            plugged.remove(action.cable)
        assert action.temporary == (action.cable not in old | new)
        assert action.parts == parts(switches, plugged)
        found.append(action.parts)
    assert plugged == new
    return found


def some_order_keeps_one_part(switches, old, new):
    """Whether some order of unplugging does, where new cables are plugged as soon as both of their ports are free."""
    for order in permutations(old - new):
        plugged, counts = set(old), []
        for cable in (None, *order):
            plugged.discard(cable)
            counts.append(parts(switches, plugged))
            used = {end for each in plugged for end in each.ends}
            plugged |= {each for each in new if not used & set(each.ends)}
        if max(counts) == 1:
            return True
    return False


@given(wirings(5))
@settings(deadline=None, max_examples=80)
def test_an_order_that_keeps_a_plane_connected_is_found_if_there_is_one(case):
    switches, old, new = case
    actions, connected = plan_moves(old, new, {}, {})
    found = walk(switches, old, new, actions)
    exists = some_order_keeps_one_part(switches, old, new)
    assert connected == ("in every step" if exists else "not in any order")
    assert (max(found, default=1) == 1) == exists
    assert not any(action.temporary for action in actions)


@given(wirings(8))
@settings(deadline=None, max_examples=80)
def test_with_spare_ports_a_plane_always_stays_connected(case):
    switches, old, new = case
    spare = {switch: [99, 98, 97, 96, 95, 94, 93, 92] for switch in range(switches)}
    actions, connected = plan_moves(old, new, {}, spare)
    assert set(walk(switches, old, new, actions)) <= {1}
    assert connected == "in every step"


def test_new_cables_at_free_ports_are_plugged_first():
    path = [Cable(((switch, 2), (switch + 1, 1)), True) for switch in range(19)]
    star = [Cable(((0, port), (port, 5)), True) for port in range(3, 20)]
    old, new = frozenset(path), frozenset([*path[:2], *star])
    actions, connected = plan_moves(old, new, {}, {})
    walk(20, old, new, actions)
    assert connected == "in every step"  # although no cable of a path can be unplugged before


@for_each("retried", [move_walk.MAX_RETRIED, 5])
def test_a_ring_cannot_become_another_ring_and_stay_connected(monkeypatch, retried):
    monkeypatch.setattr(move_walk, "MAX_RETRIED", retried)
    ring = [Cable(((switch, 2), ((switch + 1) % 30, 1)), True) for switch in range(30)]
    other = [Cable(((switch, 2), ((switch + 7) % 30, 1)), True) for switch in range(30)]  # 7 and 30 are coprime
    old, new = (frozenset(Cable(tuple(sorted(each.ends)), True) for each in cables) for cables in (ring, other))
    actions, connected = plan_moves(old, new, {}, {})
    found = walk(30, old, new, actions)
    assert connected == "no order found"  # 30 cables are too many to try all orders; a path has two free ports
    assert max(found) > 1


def test_a_node_keeps_a_cable_if_it_has_one_in_another_plane():
    old = [Cable(((0, 1), (1, 1)), True), Cable(((0, 2), (2, 1)), False)]
    new = [old[0], Cable(((1, 2), (2, 1)), False)]
    for links, off in (({}, 1), ({2: 1}, 0)):
        actions, connected = plan_moves(frozenset(old), frozenset(new), links, {})
        assert [(action.plug, action.nodes_off) for action in actions] == [(False, off), (True, 0)]
        assert connected == "in every step"  # of the switches; that the node is off for a step is counted apart


NICS = {ports: 10.01 * ports for ports in (1, 2, 5)}
PRICES = PriceList(cables_usd={1: 9.99, 2.5: 20, 7.125: 31.5, 200: 99}, nics_usd=NICS)
SITE = Site(Layout(aspects=(), switches_per_rack=3), PRICES)
OTHERS = [name for name in family_names() if family_named(name).uses_site and family_named(name).kind != "cubes"]
FAMILIES = sorted(set(OTHERS) - {"fabric", "graph", "relabelled"})  # which need a file, or racks in order
PARALLEL = [LeafSpine(cables_per_pair=3), FatTree(cables_per_pair=(2, 4))]


def design_on(network):
    """A design of a network, without circuits."""
    if not network.optical_switches:
        return Design(network)
    return Design(network, Circuits(), by_switch(network.nodes))


def check_schedule(network):
    """Ports are used once, places are taken once, and all sums are those of the reference; return the cables."""
    files = contents("cabling", design_on(network))
    length_mm, cost_cents, longest_mm = cables_of(network)
    cables = rows(files["schedule.csv"])
    ends = [(row[f"{end}_device"], row[f"{end}_port"]) for row in cables for end in ("from", "to")]
    assert len(set(ends)) == len(ends)
    places = {
        (row[f"{end}_rack"], row[f"{end}_position"], row[f"{end}_device"]) for row in cables for end in ("from", "to")
    }
    assert len({place[:2] for place in places}) == len({place[2] for place in places}) == len(places)
    between = [row for row in cables if row["kind"] == "switch"]
    assert len(between) == network.family.cables
    assert sum(millimetres(row["length_m"]) for row in between) == length_mm
    assert max(millimetres(row["length_m"]) for row in cables) == longest_mm
    materials = rows(files["materials.csv"])
    assert sum(cents(row["price_usd"]) for row in materials) == cost_cents
    assert all(cents(row["price_usd"]) == int(row["count"]) * cents(row["unit_usd"]) for row in materials)
    assert Counter(row["part"] for row in cables) == parts_of(materials)
    cable_cents = sum(cents(row["price_usd"]) for row in materials if row["class"] not in ("switch", "nic"))
    assert sum(cents(row["price_usd"]) for row in cables) == cable_cents
    return cables


def parts_of(materials):
    """The number of cables of each part that are bought."""
    found = Counter()
    for row in materials:
        if row["class"] not in ("switch", "nic"):
            found[row["part"]] += int(row["count"])
    return found


@for_each("family", [*(family_named(name)() for name in FAMILIES), *PARALLEL])
def test_lengths_and_prices_of_any_family_add_up_to_its_metrics(family):
    network = Network(family, site_of(composed_config("export", "network=torus", "layout=floor")))
    check_schedule(network)
    from_layout = Network(with_layout_lengths(network.family), network.site)
    check_lengths(from_layout, check_schedule(from_layout))


@for_each("links", [1, 2, 4])
def test_racks_hold_whole_nodes_however_many_links_these_have(links):
    # 128 switches with 16 links of nodes each: a rack of 64 nodes holds 4, 8 and (of 16) at most 8 of them
    torus = Torus(shape=(8, 8, 2), nodes_per_switch=16, assumed_cable_m=None, node_cable_m=2.0)
    layout = Layout(aspects=(), switches_per_rack=8, nodes_per_rack=64)
    network = Network(MultiPlane(plane=torus, planes=2, links_per_node=links), Site(layout))
    check_lengths(network, check_schedule(network))
    assert len(network.floor.names) == {1: 32, 2: 16, 4: 16}[links]


def check_lengths(network, cables):
    """Cables are as long as the racks on the schedule require, those of nodes at least as given, by the catalogue."""
    layout, lengths = network.site.layout, sorted(Fraction(str(each)) for each in network.site.prices.cables_usd)
    pitch = [Fraction(str(each)) for each in (layout.pitch_deep_m, layout.pitch_across_m)]
    for row in cables:
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
