"""The order of moves between two wirings: an independent walk over its actions, and all orders of small wirings."""

from itertools import permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.runs.exports.cabling import move_walk
from isoplane.runs.exports.cabling.move_walk import Wirings
from isoplane.runs.exports.cabling.moves import plan_moves
from isoplane.runs.exports.cabling.plugged_plane import Cable
from tests.cases import for_each


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


def walk(switches, old, new, moves):
    """The number of parts after each action; ports are free when they are used, and the walk ends at the new wiring."""
    plugged, found = set(old), []
    for action in moves.actions:
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
    moves = plan_moves(Wirings(old, new, {}, {}))
    found = walk(switches, old, new, moves)
    exists = some_order_keeps_one_part(switches, old, new)
    assert moves.connected == ("in every step" if exists else "not in any order")
    assert (max(found, default=1) == 1) == exists
    assert not any(action.temporary for action in moves.actions)


@given(wirings(8))
@settings(deadline=None, max_examples=80)
def test_with_spare_ports_a_plane_always_stays_connected(case):
    switches, old, new = case
    spare = {switch: [99, 98, 97, 96, 95, 94, 93, 92] for switch in range(switches)}
    moves = plan_moves(Wirings(old, new, {}, spare))
    assert set(walk(switches, old, new, moves)) <= {1}
    assert moves.connected == "in every step"


def test_new_cables_at_free_ports_are_plugged_first():
    path = [Cable(((switch, 2), (switch + 1, 1)), True) for switch in range(19)]
    star = [Cable(((0, port), (port, 5)), True) for port in range(3, 20)]
    old, new = frozenset(path), frozenset([*path[:2], *star])
    moves = plan_moves(Wirings(old, new, {}, {}))
    walk(20, old, new, moves)
    assert moves.connected == "in every step"  # although no cable of a path can be unplugged before


@for_each("retried", [move_walk.MAX_RETRIED, 5])
def test_a_ring_cannot_become_another_ring_and_stay_connected(monkeypatch, retried):
    monkeypatch.setattr(move_walk, "MAX_RETRIED", retried)
    ring = [Cable(((switch, 2), ((switch + 1) % 30, 1)), True) for switch in range(30)]
    other = [Cable(((switch, 2), ((switch + 7) % 30, 1)), True) for switch in range(30)]  # 7 and 30 are coprime
    old, new = (frozenset(Cable(tuple(sorted(each.ends)), True) for each in cables) for cables in (ring, other))
    moves = plan_moves(Wirings(old, new, {}, {}))
    found = walk(30, old, new, moves)
    assert moves.connected == "no order found"  # 30 cables are too many to try all orders; a path has two free ports
    assert max(found) > 1


def test_a_node_keeps_a_cable_if_it_has_one_in_another_plane():
    old = [Cable(((0, 1), (1, 1)), True), Cable(((0, 2), (2, 1)), False)]
    new = [old[0], Cable(((1, 2), (2, 1)), False)]
    for links, off in (({}, 1), ({2: 1}, 0)):
        moves = plan_moves(Wirings(frozenset(old), frozenset(new), links, {}))
        assert [(action.plug, action.nodes_off) for action in moves.actions] == [(False, off), (True, 0)]
        assert moves.connected == ("not in any order" if off else "in every step")
