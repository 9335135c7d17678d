"""Cables, power and prices."""

from collections.abc import Mapping

from isoplane.models.site.prices import PART_CLASSES, PartClass
from isoplane.objectives import bill_of, price_range
from isoplane.objectives.general.zero_load import mean_misses

from ..column import Column, Group, Value
from ..compared_design import ComparedDesign
from ..existing import stated_gbps
from ..sizes.throughputs import requested_throughput

ORDER = 30
TITLES: Mapping[PartClass, str] = {
    "switch": "switches",
    "nic": "interfaces",
    "copper": "copper cables",
    "optics": "optical cables",
    "cable": "other cables",
}


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return lengths of cables in total, power, and prices: in all, and with their range per requested node."""
    request, family = compared.request, compared.family
    nodes, larger = request.nodes, compared.design.larger
    _, miss_rate = mean_misses(compared.network)
    bill = bill_of(compared.network, nodes, miss_rate)
    low, middle, high = price_range(bill)
    throughput = requested_throughput(family, nodes, request.node_ports)
    gbps = min(float(throughput), 1.0) * request.node_ports * _link_gbps(compared)
    metres = {part_class: bill.length_m(part_class) for part_class in ("copper", "optics", "cable")}
    divided = bool(metres["copper"] or metres["optics"])
    return {
        "longest_cable_m": compared.network.longest_cable_mm / 1000,
        "cables_m": sum(metres.values()),
        "copper_m": metres["copper"] if divided else None,
        "optics_m": metres["optics"] if divided else None,
        "power_kw": None if bill.watts is None else bill.watts / 1000,
        "cost_low_usd_per_node": low / nodes if bill.ranges else None,
        "cost_usd_per_node": middle / nodes,
        "cost_high_usd_per_node": high / nodes if bill.ranges else None,
        "cost_usd": middle,
        "more_nodes": None if larger is None else larger.family.nodes,
        "more_nodes_usd": None if larger is None else larger.price_cents / 100,
        "cost_usd_per_gbps": middle / nodes / gbps,
        **{f"{part_class}_usd": bill.class_cents(part_class) / 100 for part_class in PART_CLASSES},
    }


def _link_gbps(compared: ComparedDesign) -> float:
    """Return the rate of the fastest link of a node: that of the switch model, unless the design states rates."""
    stated = stated_gbps(compared.network)
    return float(compared.request.site.switch.link_gbps) if stated is None else stated


GROUP = Group(
    "Cables, power and price",
    "Lengths of all cables, those of nodes included, in the racks of the layout. The price per requested node is that "
    "of switches, interfaces and cables, with all classes of parts at the low end of their ranges in the catalogue, "
    "at the given price and at the high end; the total price is the given one of all requested nodes. More nodes "
    "for less are those of another size of the family that has the throughput with a node at each place, but not with "
    "the requested nodes alone, and costs less in all. The price per Gbit/s is that of a requested node, divided by "
    "its rate in all-to-all traffic of the requested nodes alone, at most that of its ports: as the prices are, it is "
    "without nodes at the other places, which the throughput of the first table has.",
    (
        Column("longest_cable_m", "longest cable", "m", 1),
        Column("cables_m", "all cables", "m"),
        Column("copper_m", "copper", "m"),
        Column("optics_m", "optics", "m"),
        Column("power_kw", "power", "kW", 1),
        Column("cost_low_usd_per_node", "low price", "US$/node"),
        Column("cost_usd_per_node", "price", "US$/node"),
        Column("cost_high_usd_per_node", "high price", "US$/node"),
        Column("cost_usd", "total price", "US$"),
        Column("more_nodes", "more nodes for less"),
        Column("more_nodes_usd", "their total price", "US$"),
        Column("cost_usd_per_gbps", "price per Gbit/s of the requested nodes", "US$/(Gbit/s)", 2),
        *(Column(f"{part_class}_usd", TITLES[part_class], "US$") for part_class in PART_CLASSES),
    ),
    values,
    title_without={"power_kw": "Cables and price"},
)
