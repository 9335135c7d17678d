"""The layouts and catalogues of conf/ beside those of the paper."""

from dataclasses import fields, replace
from decimal import Decimal

from isoplane.models import Layout, PriceList
from isoplane.runs.config import designs
from tests.test_conf import single_choice


def test_the_floor_fits_a_rack_of_42_units_and_any_number_of_racks():
    config = single_choice("layout", "floor")
    assert set(config["layout"]) == {field.name for field in fields(Layout)}
    layout = designs.site_of({**config, "prices": {}, "switch": {}}).layout
    assert layout.switches_per_rack + layout.nodes_per_rack // 4 * 2 == 42 - 2  # 2 units for four nodes, 2 units free
    assert all(across * deep >= racks for racks in range(1, 300) for across, deep in [layout.grid_of(racks)])
    assert layout.filled_by_id(4) == replace(layout, assignment="in_order", nodes_per_rack=None)


def catalogue(name):
    config = single_choice("prices", name)
    assert list(config["prices"]) == [field.name for field in fields(PriceList)]
    return designs.site_of({**config, "layout": None, "switch": {}}).prices


def test_the_fdr10_catalogue_has_the_published_fits_at_its_lengths_and_sizes():
    prices = catalogue("infiniband_fdr10")
    for length_m, usd in prices.cables_usd.items():
        per_m, fixed = ("0.4079", "0.5771") if length_m <= 7 else ("0.0919", "7.2745")
        assert usd == float(round(40 * (Decimal(per_m) * length_m + Decimal(fixed)), 2))
        assert prices.cable_class(1000 * length_m) == ("copper" if length_m <= 7 else "optics")
    for ports, usd in prices.switches_usd.items():
        assert usd == float(Decimal("350.4") * ports - Decimal("892.3"))
    assert prices.switch_port_w == 4 * 0.7


def test_the_40g_catalogue_is_of_copper_to_5_m_and_its_optics_cost_376_usd_and_5_a_metre_or_a_little_more():
    # the same study has 376 + 5 x US$ for optical and 40 + 16 x for copper cables of any length, before assembly
    prices = catalogue("ethernet_40g")
    for length_m, usd in prices.cables_usd.items():
        optical = prices.cable_class(1000 * length_m) == "optics"
        made_to_length = 376 + 5 * length_m if optical else 40 + 16 * length_m
        assert optical == (length_m > 5)
        assert abs(usd / made_to_length - 1) < 0.05
    assert prices.switch_for(36) == (36, 36 * 4 * 500_00)
