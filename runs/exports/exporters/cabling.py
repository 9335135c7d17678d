"""The cabling of a design: schedule, bill of materials, bundles and trays, commissioning."""

from collections.abc import Iterator, Sequence

from isoplane.models.checks import exact_number
from isoplane.models.files.exact_text import as_csv, counted
from isoplane.objectives import bill_of

from ..built_design import device_names
from ..cabling.added_devices import added_devices
from ..cabling.bundles import HEADER as BUNDLES
from ..cabling.bundles import TRAY_HEADER, bundle_rows, tray_rows
from ..cabling.cables import PlacedCables, placed_cables
from ..cabling.commissioning import HEADER as COMMISSIONING
from ..cabling.commissioning import commissioning_rows
from ..cabling.materials import HEADER as MATERIALS
from ..cabling.materials import NODE_HEADER, NODE_NAMES, material_rows, node_cable_rows
from ..cabling.move_rows import HEADER as MOVES
from ..cabling.move_rows import NAMES as MOVE_NAMES
from ..cabling.move_rows import PARTS, SUMMARY, move_rows, moved_between_ports, part_rows, summary_rows
from ..cabling.page import filled, page
from ..cabling.rewiring import moves_from, other_racks, require_racks
from ..cabling.schedule import HEADER, NAMES, Row, schedule_rows
from ..exporter import Exported, Exporter, Files

NAME = "cabling"


def files(exported: Exported) -> Files:
    """Yield the files of a cabling crew."""
    if exported.built is not None:
        require_racks(exported.built.network, exported.option("rewired_from"))
    placed, bill = placed_cables(exported, NAME), bill_of(exported.places, exported.bought_nodes)
    spares = exact_number("spares", exported.option("spares"), 0, 1)
    materials = list(material_rows(bill, placed.prices, spares))
    moves = list(_move_files(exported, placed))
    names = exported.network.title, exported.content["id"]
    header, node_header = ((*HEADER, *NAMES), (*NODE_HEADER, *NODE_NAMES)) if placed.at_site else (HEADER, NODE_HEADER)
    yield "schedule.csv", as_csv(header, schedule_rows(placed))
    yield "schedule.html", page(*names, placed, bill, materials)
    yield "node_cables.csv", as_csv(node_header, node_cable_rows(placed))
    yield "materials.csv", as_csv(MATERIALS, materials)
    yield "bundles.csv", as_csv(BUNDLES, bundle_rows(placed))
    yield "trays.csv", as_csv(TRAY_HEADER, tray_rows(placed))
    yield "commissioning.csv", as_csv(COMMISSIONING, commissioning_rows(placed))
    yield from moves


def _move_files(exported: Exported, placed: PlacedCables) -> Files:
    built = exported.built
    if built is None:
        return
    planes, others = moves_from(built, exported, placed, NAME), other_racks(built.network, exported.design.network)
    if others is not None:
        exported.notes.append(others)
    added = list(added_devices(placed, set(device_names(built.network))))
    moves, bought, left_over = move_rows(planes, placed, added)
    summary, parts = list(summary_rows(planes)), list(part_rows(placed.prices, bought, left_over, added))
    if added:
        switches = sum(device < placed.nodes_from for _, device, _ in added)
        kinds = (counted(switches, "switch"), counted(len(added) - switches, "node"))
        exported.notes.append(f"moves: {' and '.join(kinds)} that {built.network.title} does not have")
    exported.notes.extend(_summary_notes(summary, bought.total(), left_over.total()))
    between_ports = sum(moved_between_ports(actions) for _, actions, _ in planes)
    if between_ports:
        exported.notes.append(
            f"moves: {counted(between_ports, 'cable')} only to other ports of the same devices, which "
            f"{exported.network.title} states"
        )
    titles = {"title": exported.network.title, "record": exported.content["id"], "built": built.network.title}
    yield "moves.csv", as_csv((*MOVES, *(MOVE_NAMES if placed.at_site else ())), moves)
    yield "moves.html", filled("moves.html.jinja", **titles, moves=moves, summary=summary, parts=parts)
    yield "moves_summary.csv", as_csv(SUMMARY, summary)
    yield "moves_parts.csv", as_csv(PARTS, parts)


def _summary_notes(summary: Sequence[Row], bought: int, left_over: int) -> Iterator[str]:
    """Yield how many cables of each plane are moved, and how many are bought and left over."""
    for plane, kept, unplugged, plugged, _, connected, *_ in summary:
        if unplugged or plugged:
            counts = f"{unplugged} unplugged, {plugged} plugged, {kept} stay"
            yield f"moves of plane {plane}: {counts}; connected: {connected}"
    is_any = any(unplugged or plugged for _, _, unplugged, plugged, *_ in summary)
    yield f"moves: {counted(bought, 'cable')} to buy, {left_over} left over" if is_any else "moves: none"


EXPORTER = Exporter("cable schedule, bill of materials, bundles, commissioning", None, files)
