"""The network drawn: every switch and cable of a small one, racks or blocks and bundles of cables of a large one."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.circuit_picture import MAX_CIRCUITS, circuit_picture
from isoplane.runs.drawing.floor_picture import block_pictures, floor_pictures, has_floor
from isoplane.runs.drawing.link_heat import Heat, heat_ends
from isoplane.runs.drawing.network_picture import is_small, plane_pictures
from isoplane.runs.drawing.svg import Picture, drawings

from ..report_data import ReportData

ORDER = 22
CABLES = "squares are switches with their numbers, circles nodes, and lines cables"
BLOCKS = "squares are blocks of switches with successive numbers, and lines are as wide as the cables between them"
RACKS = "Racks to scale, seen from above, and curves as wide as the cables between them"
ON_HOVER = "Names and values are shown on hover."
CIRCUITS = "Lines between nodes on the circle are circuits; nodes that own one are dark"


def block(data: ReportData) -> Block:
    """Return the pictures of a network, and of its circuits if it has an optical switch."""
    return Block("network", "The network", list(_parts(data)))


def _parts(data: ReportData) -> Iterator[Part]:
    network, heat, circuits = data.network, _heat(data), data.design.design.circuits
    pictures, caption = list[Picture](), ""
    if is_small(network):
        pictures, caption = plane_pictures(network, heat), f"In each plane {CABLES}."
    elif not has_floor(network):
        pictures, caption = block_pictures(network, heat), f"In each plane {BLOCKS}."
    if circuits:
        pictures.append(circuit_picture(network, circuits, heat))
        caption = f"{caption} {CIRCUITS}.{_left_out(len(circuits))}"
    colour = "" if heat is None else _colour_text(heat, heat_ends(heat, network.cabling))
    if pictures:
        yield drawings(pictures, "network", f"{caption.strip()}{colour} {ON_HOVER}")
    if has_floor(network):
        yield drawings(floor_pictures(network, heat), "floor", f"{RACKS}.{colour} {ON_HOVER}")


def _heat(data: ReportData) -> Heat | None:
    """Return the loads of links in a simulation of the network, if there is one; else computed ones."""
    rows = data.simulations[0].get("links") if data.simulations else None
    if rows is None:
        return data.design.heat
    links = [np.zeros(plane.topology.peer.shape) for plane in data.network.cabling]
    for number, switch, port, load in rows:
        links[number][switch, port] = 100 * load
    return Heat(links, "simulated load", "%")


def _colour_text(heat: Heat, ends: Sequence[float]) -> str:
    sent = " if every node sends a packet to every node" if heat.unit == "packets" else ""
    if ends:
        return f" Colours show the {heat.title} of the busier direction{sent}."
    value = max((float(links.max(initial=0)) for links in heat.links), default=0.0)
    return f" The {heat.title} of each is {heat.text(value)}{sent}."


def _left_out(circuits: int) -> str:
    return f" Only the {MAX_CIRCUITS:,} most heavily loaded circuits are drawn." if circuits > MAX_CIRCUITS else ""
