"""Names of devices: shown beside the names in exports, one for each device, and no part of a design."""

from isoplane.models import Design, Network
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.records import design_content, design_of_record, id_of, names_content

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


def test_names_are_read_back_and_two_spellings_of_a_guid_are_one_alias():
    assert DeviceNames.read(NAMES.write()) == NAMES
    written = {**NAMES.write(), "aliases": {"0x1F": "P0-S0", "0x001f": "P0-S0"}}
    assert DeviceNames.read(written).guids == {"P0-S0": "0x1f"}
