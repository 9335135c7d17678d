"""Errors of a network that is part of another one: they name the keys as the user gives them."""

import re
from pathlib import Path

import pytest

from isoplane.models import InputError, Network, OpticalOverlay, Site, family_named
from isoplane.models.families._nested import keys_within
from isoplane.models.families.multi_plane import MultiPlane
from tests.cases import for_each

OUTER = [("multi_plane", "plane"), ("optical_overlay", "packet")]


def message_of(family, keys):
    with pytest.raises(InputError) as caught:
        family_named(family).read(keys)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@for_each(("family", "place"), OUTER)
@for_each(
    "keys",
    [
        {"family": "torus", "shape": [1]},
        {"family": "slim_fly", "q": 6},
        {"family": "slim_fly", "cable_m": -1},
        {"family": "hyperx", "routing": "xy"},
        {"family": "hyperx", "depth": 3},
        {"family": "dragonfly", "groups": 10},
        {"family": "graph", "file": None},
        {"family": "leaf_spine", "seed": 2},  # names network.routing, too
        {"family": "torus", "datelines": True, "routing": "up_down"},  # the same
        {"family": "xgft", "children": [2, 2], "parents": [1, 2, 3]},  # names network.children, too
    ],
)
def test_all_keys_in_a_message_have_the_prefix_of_their_network(family, place, keys):
    alone = message_of(keys["family"], {key: value for key, value in keys.items() if key != "family"})
    assert alone.startswith("network.")
    assert message_of(family, {place: keys}) == alone.replace("network.", f"network.{place}.")


@for_each(("family", "place"), OUTER)
def test_an_unknown_family_has_the_prefix(family, place):
    for name in ("ring", None, 3):
        assert message_of(family, {place: {"family": name}}).startswith(f"network.{place}.family={name!r}: expected")


def test_prefixes_are_those_of_all_networks_around():
    keys = {"packet": {"family": "multi_plane", "plane": {"family": "slim_fly", "q": 6}}}
    assert message_of("optical_overlay", keys).startswith("network.packet.plane.q=6: expected a prime power")
    keys["packet"]["plane"] = {"family": "leaf_spine", "seed": 2}
    assert message_of("optical_overlay", keys).endswith("allowed with network.packet.plane.routing=random")
    keys["packet"]["plane"] = None
    assert message_of("optical_overlay", keys).startswith("network.packet.plane=None: expected the keys of a family")


def test_keys_of_the_outer_network_have_no_prefix():
    plane = {"family": "slim_fly", "q": 7}
    assert message_of("multi_plane", {"plane": plane, "planes": 9}).startswith("network.planes=9: expected")
    assert message_of("multi_plane", {"plane": plane, "depth": 9}).startswith("network.depth: unknown")


def test_errors_of_building_have_the_prefix():
    overlay = OpticalOverlay(packet=MultiPlane(plane=MultiPlane()), group_size=1)
    with pytest.raises(InputError, match=r"^network\.packet\.plane: .* has 2 planes; expected a family of one"):
        _ = Network(overlay, Site(layout=None)).planes


def test_the_values_in_a_message_stay(tmp_path: Path):
    file = tmp_path / "the network.txt"
    message = message_of("multi_plane", {"plane": {"family": "graph", "file": str(file)}})
    assert re.match(rf"network\.plane\.file={re.escape(str(file))}: ", message)


def test_other_errors_pass_unchanged():
    with pytest.raises(InputError, match=r"^layout=null: expected racks$"), keys_within("plane"):
        raise InputError("layout=null: expected racks")
    with pytest.raises(ValueError, match=r"^network\.q$"), keys_within("plane"):
        raise ValueError("network.q")
