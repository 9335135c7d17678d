"""Checks that ignore port numbers: only which devices are cabled together counts, and differences are named exactly."""

import random
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.runs.cable_check.differences import differences
from isoplane.runs.cable_check.ignored_ports import ends_at_designed_ports
from isoplane.runs.cable_check.sentences import text_lines
from tests.cases import for_each
from tests.runs.formats.fabrics import discovery_text

from .samples import as_set, cables_by_plane, imported_network, moves_of_matching, swap
from .samples import checked as checked_exactly
from .samples import least_moves as least_moves_of_ends

checked = partial(checked_exactly, ports="ignore")
PARALLEL = HyperX(shape=(3, 2), cables_per_pair=(2, 1), nodes_per_switch=2, node_cable_m=2.0)
NETWORKS = {
    "cubes": dual_cube(4, (3, 5, 9, 14)),
    "parallel": Network(PARALLEL),
    "rails": Network(MultiPlane(plane=PARALLEL, planes=2, links_per_node=2)),
    "tree": Network(FatTree(switch_ports=4)),
    "direct": Network(DirectHypercube(n=4)),
}


def with_other_ports(planes, rng):
    """The same cables between devices, at random ports."""
    free = {device: rng.sample(range(1, 65), 64) for plane in planes for pair in plane for device, _ in pair}
    return [[((a, free[a].pop()), (b, free[b].pop())) for (a, _), (b, _) in plane] for plane in planes]


def device_pairs(cables):
    """The number of cables between each two devices."""
    return Counter(tuple(sorted((a, b))) for (a, _), (b, _) in cables)


def least_moves(found, designed):
    """The least number of moves, additions and removals: a found cable becomes a designed one in one if they meet."""
    return moves_of_matching([*(found - designed).elements()], [*(designed - found).elements()])


def assert_exact(check, planes, network):
    """The differences are all that differ, mended by the fewest moves."""
    cables = [pair for plane in planes for pair in plane]
    found, designed = device_pairs(cables), device_pairs(pair for plane in cables_by_plane(network) for pair in plane)
    wrong = [tuple(check.found_end(end)[:2] for end in cable) for each in check.differences for cable in each.found]
    lacking = [
        tuple(check.designed_end(end)[:2] for end in cable) for each in check.differences for cable in each.designed
    ]
    assert as_set(wrong) <= as_set(cables)  # with the ports at which they are
    assert len(as_set(wrong)) == len(wrong)
    assert device_pairs(wrong) == found - designed
    assert device_pairs(lacking) == designed - found
    assert {port for pair in lacking for _, port in pair} <= {None}
    assert sum(len(each.moves) for each in check.differences) == least_moves(found, designed)
    assert check.agreeing == (found & designed).total()


@for_each("name", NETWORKS)
def test_swaps_and_missing_and_extra_cables_between_devices_are_named_exactly(name):
    network, rng, kinds = NETWORKS[name], random.Random(2), Counter()
    switches = sorted({device for pair in cables_by_plane(network)[0] for device, _ in pair if device.startswith("P")})
    for swaps in (0, 1, 1, 1, 2, 3, 10):
        planes = with_other_ports(cables_by_plane(network), rng)
        for _ in range(swaps):
            swap(rng.choice(planes), rng)
        check = checked(network, planes)
        assert check.agrees or swaps  # other ports of the same devices are no difference
        assert_exact(check, planes, network)
        kinds.update(each.kind for each in check.differences)
        planes[0].pop(rng.randrange(len(planes[0])))
        assert_exact(checked(network, planes), planes, network)
        planes[0] += [((a, 70 + extra), (b, 80 + extra)) for extra, (a, b) in enumerate([rng.sample(switches, 2)] * 2)]
        assert_exact(checked(network, planes), planes, network)
    assert kinds["swapped"] >= 2


@for_each("name", ["cubes", "tree"])
def test_a_fabric_that_differs_in_ports_alone_is_compared_and_said_to(name):
    network, rng = NETWORKS[name], random.Random(4)
    right = cables_by_plane(network)
    first, second = (place for place, (a, _) in enumerate(right[0]) if a[0] == "P0-S0" and a[1] in (1, 2))
    (a, b), (c, d) = right[0][first], right[0][second]
    turned = [pair for place, pair in enumerate(right[0]) if place not in (first, second)]
    for planes in (with_other_ports(right, rng), [[(a, d), (c, b), *turned], *right[1:]]):
        check = checked_exactly(network, planes)
        ports = least_moves_of_ends(*(as_set(pair for plane in each for pair in plane) for each in (planes, right)))
        assert list(text_lines(check, "x"))[-2] == (
            f"every pair of devices is cabled as designed, only {ports} ports differ (allowed with ports=ignore)"
        )
    rest = [pair for pair in right[0] if pair not in ((a, b), right[0][-1])]
    (e, f) = right[0][-1]
    assert not checked_exactly(network, [[(a, f), (e, b), *rest], *right[1:]]).other_ports


@st.composite
def multigraphs(draw):
    """The mates of up to 12 ends at up to 4 devices, and other cables between these devices and a fifth one."""
    count = draw(st.integers(0, 6))
    pair = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda ends: ends[0] != ends[1])
    designed = draw(st.lists(pair, min_size=count, max_size=count))
    found = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
    width, used = 40, Counter()
    mate = np.full(5 * width, -1)
    for devices in designed:
        ends = []
        for device in devices:
            used[device] += 1
            ends.append(device * width + used[device])
        mate[ends] = ends[::-1]
    return mate, width, [tuple(sorted(each)) for each in designed], found


@settings(max_examples=120, deadline=None)
@given(multigraphs())
def test_any_two_sets_of_cables_need_the_fewest_moves_that_a_matching_allows(given_cables):
    mate, width, designed, found = given_cables
    ends = ends_at_designed_ports(mate, width, found)
    assert [tuple(end // width for end in each) for each in ends] == found
    assert len({end for each in ends for end in each}) == 2 * len(found)
    assert all(end % width for each in ends for end in each)
    found_mate = np.full(len(mate), -1)
    for a, b in ends:
        found_mate[[a, b]] = b, a
    counts = Counter(tuple(sorted(each)) for each in found), Counter(designed)
    same = int(((found_mate == mate) & (mate >= 0)).sum()) // 2
    assert same == (counts[0] & counts[1]).total()
    moves = sum(len(each.moves) for each in differences(mate, found_mate, lambda end: end // width))
    assert moves == least_moves(*counts)


def test_a_node_may_have_several_adapters_with_ports_of_the_same_number(tmp_path):
    network = NETWORKS["rails"]
    planes = cables_by_plane(network)
    shown = {}
    for plane in planes:
        for place, (a, (device, port)) in enumerate(plane):
            if device.startswith("N"):  # an adapter of one port for each cable
                shown[f"{device}-{port}"] = f"{device} mlx5_{port}"
                plane[place] = a, (f"{device}-{port}", 1)
    texts = [discovery_text(plane, names=shown, guid=guid_of(planes)) for plane in planes]
    assert checked(network, texts).agrees
    with pytest.raises(InputError, match="are one device of the design; expected one cable at each port"):
        checked(network, texts, ports="exact")
    again, _ = imported_network(tmp_path / "again", texts)  # which states the adapters
    assert [checked(again, texts, ports=ports).agrees for ports in ("exact", "ignore")] == [True, True]


def guid_of(planes):
    devices = sorted({device for plane in planes for pair in plane for device, _ in pair})
    return {device: 0x1000 * number for number, device in enumerate(devices, start=1)}


def test_names_must_identify_devices():
    planes = cables_by_plane(NETWORKS["cubes"])
    with pytest.raises(InputError, match="^identify=cables: needs the numbers of ports; allowed with ports=exact$"):
        checked(NETWORKS["cubes"], planes, identify="cables")
    names = {device: "switch" for plane in planes for pair in plane for device, _ in pair}
    texts = [discovery_text(plane, names=names, guid=guid_of(planes)) for plane in planes]
    with pytest.raises(InputError, match="^ports=ignore: no device has a name of the design; expected P0-S0 and so on"):
        checked(NETWORKS["cubes"], texts)
    one = [discovery_text(plane, names={"P0-S3": "spare"}) for plane in planes]
    check = checked(NETWORKS["cubes"], one)
    assert (check.missing, [name.split(" ")[0] for name, _ in check.unknown]) == (("P0-S3",), ["spare"])
    assert checked(NETWORKS["cubes"], one, names={"spare": "P0-S3"}).agrees
    assert checked(NETWORKS["cubes"], planes[1:]).unchecked == (0,)
