"""Whole files against a design: with names exactly; without, up to an automorphism of the fabric."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.runs.cable_check.devices import design_devices
from isoplane.runs.cable_check.differences import differences
from isoplane.runs.cable_check.sentences import text_lines
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.importers.opensm_subnet import parse_subnet_dump
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text, dump_text, guids

from .samples import (
    anonymous,
    as_set,
    between_switches,
    cables_by_plane,
    checked,
    least_moves,
    mended,
    named,
    swap,
    wrong_and_lacking,
)

NETWORK = dual_cube(5, (3, 5, 9, 17, 31))  # 64 switches, 32 in each plane
PLANES = cables_by_plane(NETWORK)
DESIGNED = as_set([*PLANES[0], *PLANES[1]])


def moves(check):
    return sum(len(each.moves) for each in check.differences)


@for_each(("write", "parse"), [(discovery_text, parse_ibnetdiscover), (dump_text, parse_subnet_dump)])
def test_random_swaps_are_named_exactly_in_files_with_names(write, parse):
    rng = random.Random(3)
    for count in (0, 1, 1, 2, 2, 5):
        planes = [plane.copy() for plane in PLANES]
        for _ in range(count):
            swap(rng.choice(planes), rng)
        check = checked(NETWORK, [write(plane) for plane in planes], parse)
        found = as_set([*planes[0], *planes[1]])
        assert wrong_and_lacking(check) == (found - DESIGNED, DESIGNED - found)
        assert moves(check) == least_moves(found, DESIGNED)
        assert mended(found, check) == DESIGNED
        assert check.agrees == (found == DESIGNED)
        assert (check.missing, check.unknown, check.unchecked, check.automorphisms) == ((), (), (), None)
        assert (check.designed, check.found, check.agreeing) == (416, 416, len(found & DESIGNED))


def test_a_cable_between_planes_joins_their_files_and_is_named():
    first, second = (plane.copy() for plane in PLANES)
    (a, b), (c, d) = first[0], second[7]
    wrong = [(a, d), (c, b)]
    joined = [*first[1:], *second[:7], *second[8:], *wrong]
    check = checked(NETWORK, [discovery_text(joined), discovery_text(joined)])
    assert wrong_and_lacking(check) == (as_set(wrong), as_set([(a, b), (c, d)]))
    assert [each.kind for each in check.differences] == ["swapped"]


def test_missing_and_extra_cables_and_devices_are_named():
    first, second = (plane.copy() for plane in PLANES)
    lost = [pair for pair in first if "P0-S9" in (pair[0][0], pair[1][0])]
    first = [pair for pair in first if pair not in lost]
    extra = (("P0-S1", 40), ("P0-S2", 40))
    check = checked(NETWORK, [discovery_text([*first, extra, (("P0-S3", 50), ("Nx", 1))]), discovery_text(second)])
    assert wrong_and_lacking(check) == (as_set([extra]), set())
    assert check.missing == ("P0-S9",)
    # Its nodes are in plane 1, too.
    assert [(cables, others) for _, cables, others in check.absent] == [
        (len(lost), ())
    ]  # its nodes are in plane 1, too
    ((name, where),) = check.unknown
    assert name.startswith("Nx (0x")
    assert where.startswith("plane0: line ")
    assert [each.kind for each in check.differences] == ["extra"]
    assert [len(cables) for *_, cables in check.strangers] == [1]
    assert (check.count, check.moves, check.agrees) == (3, 1, False)


@for_each("own_ports", [False, True])
def test_a_node_may_have_an_adapter_for_each_plane(own_ports):
    """Each plane lists adapters of its own, whose ports begin at 1, or are those of the node."""
    shift = 1 if own_ports else 0
    second = [((a, p), (b, q - shift if b[0] == "N" else q)) for (a, p), (b, q) in PLANES[1]]
    texts = [discovery_text(PLANES[0]), discovery_text(second).replace("000000001", "000000002")]
    texts[1] = texts[1].replace("guid=0x1", "guid=0x2")
    assert checked(NETWORK, texts).agrees
    check = checked(NETWORK, texts, identify="cables")
    assert (check.agrees, check.automorphisms) == (True, 32 * 32)
    swapped = texts[0].replace("[1](", "[2](", 1)  # damaged: the other end still leads to port 1
    with pytest.raises(InputError, match="line "):
        checked(NETWORK, [swapped, texts[1]])


def relabelled(check, true_name):
    """Device of the design for each true name."""
    found = {true_name[listed.guid]: name for listed, name in check.identified}
    assert len(set(found.values())) == len(found)
    return found


def image(cables, names):
    return {frozenset((names[device], port) for device, port in pair) for pair in cables}


def test_without_names_swaps_between_switches_are_named_up_to_an_automorphism():
    rng = random.Random(5)
    for count in (0, 3, 4, *[1] * 6, *[2] * 8):
        planes = [plane.copy() for plane in PLANES]
        for _ in range(count):
            plane = rng.choice(planes)
            places = between_switches(plane)
            part = [plane[place] for place in places]
            swap(part, rng)
            for place, pair in zip(places, part, strict=True):
                plane[place] = pair
        texts, true_name = anonymous(planes, rng)
        check = checked(NETWORK, texts)
        names = relabelled(check, true_name)
        found = as_set([*planes[0], *planes[1]])
        assert image(DESIGNED, names) == DESIGNED  # an automorphism
        assert wrong_and_lacking(check) == (image(found - DESIGNED, names), image(DESIGNED - found, names))
        assert mended(image(found, names), check) == DESIGNED
        assert check.automorphisms == 32  # the translations of both planes and the nodes
        assert (check.missing, check.unknown, check.guesses) == ((), (), 0)


FAMILIES = {
    "torus": (Torus(shape=(4, 5), nodes_per_switch=2, node_cable_m=1.0), 20),
    "random_regular": (RandomRegular(switches=24, degree=5, nodes_per_switch=1), 1),
    "fat_tree": (FatTree(), None),
}


@for_each("family", FAMILIES)
def test_without_names_any_family_is_mended_by_at_most_the_moves_that_damaged_it(family):
    kind, symmetries = FAMILIES[family]
    network, rng = Network(kind), random.Random(7)
    cables = cables_by_plane(network)[0]
    for count in (0, 1, 1, 2, 3):
        plane = cables.copy()
        for _ in range(count):
            swap(plane, rng)
        texts, true_name = anonymous([plane], rng)
        check = checked(network, texts)
        names = relabelled(check, true_name)
        assert mended(image(as_set(plane), names), check) == as_set(cables)
        assert moves(check) <= 2 * count
        assert symmetries in (None, check.automorphisms)


def test_the_links_within_nodes_of_direct_networks_are_compared_if_adapters_are_listed():
    """16 switches with 4 cables each, and a node in each, which occupies port 5 where tools list it."""
    network = Network(DirectHypercube(n=4))
    cables = cables_by_plane(network)[0]
    assert len(cables) == 32
    nodes = [((f"P0-S{switch}", 5), (f"N{switch}", 1)) for switch in range(16)]
    assert [checked(network, [discovery_text(each)]).designed for each in (cables, [*cables, *nodes])] == [32, 48]
    assert all(checked(network, [discovery_text(each)]).agrees for each in (cables, [*cables, *nodes]))
    assert not checked(network, [discovery_text([*cables, *nodes[1:]])]).agrees


def test_aggregation_nodes_in_switches_are_left_out():
    inside = [((f"P0-S{switch}", 41), (f"Na{switch}", 1)) for switch in range(32)]
    names = {device: "Mellanox Technologies Aggregation Node" for _, (device, _) in inside}
    for identify in ("auto", "cables"):
        texts = [discovery_text([*PLANES[0], *inside], names=names), discovery_text(PLANES[1])]
        check = checked(NETWORK, texts, identify=identify)
        assert (check.agrees, check.inside, check.found) == (True, 32, 416)


def test_devices_without_names_among_named_ones_are_identified_by_their_cables():
    names = {"P0-S7": "factory", "N3": "MT4119"}
    check = checked(NETWORK, [discovery_text(plane, names=names) for plane in PLANES])
    assert check.agrees
    assert sorted(check.by_cables) == [("MT4119", "N3"), ("factory", "P0-S7")]
    strict = checked(NETWORK, [discovery_text(plane, names=names) for plane in PLANES], identify="names")
    assert strict.missing == ("P0-S7", "N3")
    mapped = checked(
        NETWORK, [discovery_text(plane, names=names) for plane in PLANES], names={"factory": "P0-S7", "MT4119": "N3"}
    )
    assert (mapped.agrees, mapped.by_cables) == (True, ())


@for_each(
    ("names", "message"),
    [
        ({"P0-S1": "P0-S2"}, r"plane0: line \d+: P0-S2 again, after plane0: line \d+; expected each switch once"),
        ({"P0-S1": "N2"}, r"plane0: line \d+: N2 is of kind switch; expected an adapter"),
        ({"N1": "P0-S2"}, r"plane0: line \d+: P0-S2 is of kind adapter; expected a switch"),
        ({"N1": "N2"}, r"line \d+: port 1 again, after plane0, line \d+: .* are one device of the design; exp"),
    ],
)
def test_contradictory_names_are_errors(names, message):
    with pytest.raises(InputError, match=message):
        checked(NETWORK, [discovery_text(plane, names=names) for plane in PLANES])


def test_files_that_contradict_each_other_are_errors():
    second = [*PLANES[1], (("P0-S3", 1), ("P0-S4", 1))]
    guid = {name: number for number, name in enumerate(sorted({d for pair in DESIGNED for d, _ in pair}), start=1)}
    texts = [discovery_text(plane, guid=guid) for plane in (PLANES[0], second)]
    message = r"found=plane1: line \d+: port 1 of 'P0-S\d' leads elsewhere in plane0, line \d+; expected"
    with pytest.raises(InputError, match=message):
        checked(NETWORK, texts)


def test_without_names_there_is_a_file_for_each_plane():
    texts, _ = anonymous(PLANES, random.Random(1))
    with pytest.raises(InputError, match="found: 1 files for 2 planes; expected one for each plane, or names"):
        checked(NETWORK, texts[:1])
    with pytest.raises(InputError, match="identify=names: no device has a name of the design; expected"):
        checked(NETWORK, texts, identify="names")


def test_a_guid_decides_what_a_device_is_if_its_name_disagrees_and_the_check_says_so():
    text = discovery_text(PLANES[0], names={"P0-S7": "factory", "P0-S8": "other"})
    number = guids(dict.fromkeys(device for pair in PLANES[0] for device, _ in pair))
    same = checked(NETWORK, [text], names={"factory": "P0-S7", hex(number["P0-S7"]): "P0-S7", "other": "P0-S8"})
    assert (same.agrees, same.contradictions) == (True, ())
    by_guid = {hex(number["P0-S7"]): "P0-S7", hex(number["P0-S8"]): "P0-S8"}
    exchanged = checked(NETWORK, [text], names={"factory": "P0-S8", "other": "P0-S7", **by_guid})
    assert exchanged.agrees
    assert set(exchanged.contradictions) == {
        ("factory", "P0-S7", "P0-S8", "its GUID"),
        ("other", "P0-S8", "P0-S7", "its GUID"),
    }
    (line,) = (line for line in text_lines(exchanged, "x") if "by its GUID" in line)
    assert line.endswith("by its name: the GUID decides, as for 1 more device")
    given = checked(NETWORK, [discovery_text(PLANES[0])], names={"P0-S7": "P0-S8", "P0-S8": "P0-S7"}, identify="names")
    (line,) = (line for line in text_lines(given, "x") if "by its name" in line)
    assert "by names=, but" in line
    assert line.endswith("by its name: names= decides, as for 1 more device")


DESIGN = design_devices(NETWORK)


def compared(design, found, devices=DESIGN):
    each = tuple(differences(design, found, lambda end: end // devices.width))
    return SimpleNamespace(devices=devices, differences=each)


@st.composite
def cable_sets(draw):
    """The mates of up to 16 ends, 2 of each device, in two sets of cables."""
    count = draw(st.integers(2, 8)) * 2
    mates = []
    for _ in range(2):
        order = draw(st.permutations(range(count)))
        mate = np.full(count, -1)
        for i in range(draw(st.integers(0, count // 2))):
            a, b = order[2 * i], order[2 * i + 1]
            mate[a], mate[b] = b, a
        mates.append(mate)
    return mates


@settings(max_examples=200, deadline=None)
@given(cable_sets())
def test_any_two_sets_of_cables_are_mended_by_the_fewest_moves(mates):
    design, found = mates
    devices = SimpleNamespace(width=2, device_and_port=lambda end: divmod(end, 2))
    check = compared(design, found, devices)
    before, after = (named(check, [(e, int(m)) for e, m in enumerate(mate) if m >= 0]) for mate in (found, design))
    assert wrong_and_lacking(check) == (before - after, after - before)
    assert mended(before, check) == after
    assert sum(len(each.moves) for each in check.differences) == least_moves(before, after)
    for each in check.differences:
        surplus = len(each.found) - len(each.designed)
        assert (surplus > 0) == (each.kind == "extra")
        assert (surplus < 0) == (each.kind == "missing")
        ends = {end for pair in each.found for end in pair}
        is_cycle = not surplus and ends == {end for pair in each.designed for end in pair}
        assert is_cycle == (each.kind in ("swapped", "permuted"))
        assert (each.kind == "swapped") == (is_cycle and len(each.found) == 2)


def test_a_swap_is_mended_at_one_device_if_it_can_be():
    # Cables 0-4 and 1-6 belong there; device 0 has the ends 0 and 1, and 4 and 6 are ends of two devices.
    design, found = np.full(8, -1), np.full(8, -1)
    design[[0, 4, 1, 6]] = [4, 0, 6, 1]
    found[[0, 6, 1, 4]] = [6, 0, 4, 1]
    (only,) = differences(design, found, lambda end: end // 2)
    assert {move.cable[1] for move in only.moves} == {0, 1}
