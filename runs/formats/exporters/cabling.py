"""The cabling of a design: schedule, bill of materials, bundles and trays, commissioning."""

from isoplane.objectives import bill_of

from ..cabling.bundles import HEADER as BUNDLES
from ..cabling.bundles import TRAY_HEADER, bundle_rows, bundles_of, tray_rows
from ..cabling.cables import placed_cables
from ..cabling.commissioning import HEADER as COMMISSIONING
from ..cabling.commissioning import commissioning_rows
from ..cabling.materials import HEADER as MATERIALS
from ..cabling.materials import NODE_HEADER, material_rows, node_cable_rows
from ..cabling.page import page
from ..cabling.rewiring import HEADER as MOVES
from ..cabling.rewiring import PARTS, SUMMARY, Stock, move_rows, part_rows, rewiring_of, summary_rows
from ..cabling.schedule import HEADER, schedule_rows
from ..cabling.text import as_csv
from ..exporter import Exported, Exporter, Files

NAME = "cabling"


def files(exported: Exported) -> Files:
    """Yield the files of a cabling crew.

    Raises
    ------
    InputError
        If the design has no layout, it does not fit, or the catalogue lacks a part.
    """
    placed, bill = placed_cables(exported, NAME), bill_of(exported.network)
    bundles = bundles_of(placed)
    rewiring = rewiring_of(exported, placed, NAME)
    materials = list(material_rows(bill, placed.prices, exported.options.spares))
    yield "schedule.csv", as_csv(HEADER, schedule_rows(placed, bundles))
    yield "schedule.html", page(exported.network.family.title, exported.content["id"], placed, bundles, bill, materials)
    yield "node_cables.csv", as_csv(NODE_HEADER, node_cable_rows(placed))
    yield "materials.csv", as_csv(MATERIALS, materials)
    yield "bundles.csv", as_csv(BUNDLES, bundle_rows(placed, bundles))
    yield "trays.csv", as_csv(TRAY_HEADER, tray_rows(placed, bundles))
    yield "commissioning.csv", as_csv(COMMISSIONING, commissioning_rows(placed))
    if rewiring is not None:
        stock = Stock()  # filled by the moves
        yield "moves.csv", as_csv(MOVES, move_rows(rewiring, stock))
        yield "moves_summary.csv", as_csv(SUMMARY, summary_rows(rewiring))
        yield "moves_parts.csv", as_csv(PARTS, part_rows(rewiring, stock))


EXPORTER = Exporter("cable schedule, bill of materials, bundles, commissioning", None, files)
