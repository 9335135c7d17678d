"""Ids of imported devices that a file of names gives."""

from pathlib import Path
from random import Random

import pytest

from isoplane.models import InputError
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import imported
from tests.cases import for_each

from .fabrics import discovery_text, guids
from .import_sources import source

# Two planes over three nodes, in one file: a path of three switches, and two switches with a cable.
EDGES = "b a\nb c\ny x\na N1\nb N7\nc N3\nx N1\nx N3\ny N7\n"
SWITCHES, NODES = (("a", "b", "c"), ("x", "y")), ("N1", "N3", "N7")
NAMED = {"c": "P1-S0", "a": "P1-S1", "b": "P1-S2", "y": "P0-S0", "x": "P0-S1", "N7": "N0", "N1": "N1", "N3": "N2"}


def given(devices, text=EDGES):
    return imported([source(text)], None, None, GivenDevices(Path("names.csv"), devices))


def named(fabric):
    return dict(fabric.named_devices())


def ends(fabric):
    """The cables of all planes and links of nodes, by name."""
    found = set()
    for each in fabric.placed:
        switches = each.part.switches
        found |= {frozenset((switches[a], switches[b])) for a, _, b, _ in each.plane.cables}
        found |= {frozenset((switches[switch], fabric.nodes[node])) for node, switch, _ in each.plane.nodes}
    return found


def test_a_name_and_a_guid_of_one_device_may_not_disagree():
    cables = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 1)), (("S1", 2), ("N1", 1))]
    numbers = guids(["S0", "S1", "N0", "N1"])
    devices = {"S0": "P0-S1", "S1": "P0-S0", "N0": "N1", "N1": "N0"}
    agreeing = {**devices, hex(numbers["S0"]): "P0-S1", hex(numbers["N0"]): "N1:2"}
    assert given(agreeing, discovery_text(cables)).placed[0].part.switches == ("S1", "S0")
    message = f"names=names.csv: S0 is P0-S1, but {numbers['S0']:#x} P0-S0; expected one device"
    with pytest.raises(InputError, match=message):
        given({**agreeing, hex(numbers["S0"]): "P0-S0"}, discovery_text(cables))


@for_each(
    ("changes", "message"),
    [
        ({"b": None}, "no device for b; expected an entry for each switch and node"),
        ({"b": "P1-S0"}, "b and c are P1-S0; expected one device"),
        ({"b": "P1-S3"}, "no P1-S2; expected consecutive ids from 0 for the 3 devices"),
        ({"b": "P0-S0", "y": "P1-S2"}, "x is P0-S1, but is not in the plane of P0-S0"),
    ],
)
def test_the_first_device_without_an_id_of_its_own_is_named(changes, message):
    devices = {name: device for name, device in {**NAMED, **changes}.items() if device is not None}
    with pytest.raises(InputError, match="names=names.csv: ") as caught:
        given(devices)
    assert message in str(caught.value)


def test_any_order_of_ids_is_the_same_fabric():
    random = Random(1)
    for _ in range(20):
        devices = {}
        for plane, names in enumerate(SWITCHES):
            order = random.sample(range(len(names)), len(names))
            devices |= {name: f"P{plane}-S{switch}" for name, switch in zip(names, order, strict=True)}
        devices |= {name: f"N{node}" for name, node in zip(NODES, random.sample(range(3), 3), strict=True)}
        assert named(given(devices)) == devices
        assert ends(given(devices)) == ends(given(NAMED))
