"""Cables for NetBox: the header that it expects, and the same cables as on the schedule."""

import re

from isoplane.models import Design, Layout, Network, PriceList, Site, dual_cube
from isoplane.models.families.torus import Torus
from tests.cases import for_each

from .cabling.files_of import contents, rows

HEADER = (
    "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,"
    "type,status,label,color,length,length_unit"
)


def test_cables_are_those_of_the_schedule():
    prices = PriceList(copper_to_m=2.5)
    design = Design(dual_cube(4, (3, 5, 7, 9), layout=Layout(aspects=()), prices=prices))
    text = contents("netbox", design)["cables.csv"]
    assert text.splitlines()[0] == HEADER
    found = {
        row["label"]: {(row[f"side_{side}_device"], row[f"side_{side}_name"]) for side in "ab"} for row in rows(text)
    }
    schedule = {row["label"]: row for row in rows(contents("cabling", design)["schedule.csv"])}
    assert found == {
        label: {(row[f"{end}_device"], f"P{row[f'{end}_port']}") for end in ("from", "to")}
        for label, row in schedule.items()
    }
    for row in rows(text):
        assert row["side_a_type"] == row["side_b_type"] == "dcim.interface"
        assert (row["length"], row["length_unit"]) == (schedule[row["label"]]["length_m"], "m")
        assert row["type"] == ("dac-passive" if float(row["length"]) <= 2.5 else "aoc")
        assert re.fullmatch("[0-9a-f]{6}", row["color"])
        assert row["status"] == "planned"


@for_each(("metres", "expected"), [(2.345, ("234.5", "cm")), (2.34, ("2.34", "m")), (0, ("", ""))])
def test_lengths_have_at_most_two_decimals_and_are_left_out_if_unknown(metres, expected):
    network = Network(Torus(shape=(3,), cable_m=metres, node_cable_m=metres), Site(layout=None))
    found = rows(contents("netbox", Design(network))["cables.csv"])
    assert {(row["length"], row["length_unit"]) for row in found} == {expected}
    assert {row["type"] for row in found} == {""}
