"""Names of devices: shown beside the names in exports, one for each device, and no part of a design."""

import pytest

from isoplane.models import Design, InputError, Network
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.records import design_content, design_of_record, id_of, names_content
from tests.cases import for_each

PLANE = FabricPlane(switches=2, cables=((0, 3, 1, 5),), nodes=((0, 0, 1), (1, 1, 1)))
NAMES = DeviceNames((("leaf <0>", "P0-S1"),), ("host, 7", "N1"))


def test_a_device_is_shown_by_its_name_and_by_that_in_exports_unless_they_are_one():
    assert [NAMES.switch(0, switch) for switch in (0, 1)] == ["leaf <0> (P0-S0)", "P0-S1"]
    assert [NAMES.node(node) for node in (0, 1)] == ["host, 7 (N0)", "N1"]


def test_names_change_neither_the_design_nor_its_id():
    named, bare = Fabric(planes=(PLANE,), names=NAMES), Fabric(planes=(PLANE,))
    assert (named, hash(named)) == (bare, hash(bare))
    contents = [design_content(Design(Network(family))) for family in (named, bare)]
    assert contents[0] == contents[1]
    record = {**contents[0], **names_content(Design(Network(named)))}
    assert id_of(record) == id_of(contents[1])
    assert design_of_record(record).network.family.names == NAMES
    assert design_of_record(contents[1]).network.family.names is None
    assert names_content(Design(Network(bare))) == {}


def test_there_is_a_name_for_each_device():
    with pytest.raises(InputError, match="names: of .* devices; expected names of 2 switches and 2 nodes"):
        Fabric(planes=(PLANE,), names=DeviceNames((("a", "b"),), ("c",)))


@for_each(
    "value",
    [3, {}, {"switches": []}, {"switches": [["a"]], "nodes": 3}, {"switches": [[1]], "nodes": []},
     {"switches": "a", "nodes": []},
     {"switches": [], "nodes": [], "more": []}],
)  # fmt: skip
def test_names_are_lists_of_text(value):
    with pytest.raises(InputError, match="names: not lists of text; expected names of switches"):
        DeviceNames.read(value)
    assert DeviceNames.read(NAMES.write()) == NAMES


def test_two_spellings_of_a_guid_are_one_alias():
    written = {**NAMES.write(), "aliases": {"0x1F": "P0-S0", "0x001f": "P0-S0"}}
    assert DeviceNames.read(written).guids == {"P0-S0": "0x1f"}
    written["aliases"]["0x1f"] = "N1"
    with pytest.raises(InputError, match="names.aliases: 0x1f is N1, but 0x1F P0-S0; expected one device"):
        DeviceNames.read(written)


@for_each("device", ["N\u0663", "P0-S" + "1" * 10, "N" + "1" * 5000])
def test_numbers_of_devices_are_short_and_of_ascii_digits(device):
    with pytest.raises(InputError, match="names.aliases: expected a device such as P0-S12"):
        DeviceNames.read({**NAMES.write(), "aliases": {"a": device}})
