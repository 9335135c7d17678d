"""Pictures in SVG: the graph of each small plane, and the floor plan with all cables."""

from isoplane.models import InputError
from isoplane.runs.drawing.floor_picture import floor_pictures, has_floor
from isoplane.runs.drawing.network_picture import MAX_SWITCHES, plane_pictures
from isoplane.runs.drawing.svg import WHOLE, standalone
from isoplane.runs.exports.exporter import Exported, Exporter, Files


def files(exported: Exported) -> Files:
    """Yield a file for each plane that is small enough to be drawn, and one for the floor if there is a layout."""
    network = exported.wired
    switches = [plane.topology.switches for plane in network.cabling]
    small = [number for number, count in enumerate(switches) if count <= MAX_SWITCHES]
    if not small and not has_floor(network):
        raise InputError(
            f"format=svg: {max(switches)} switches without racks; expected a design with racks, or at most "
            f"{MAX_SWITCHES} switches in a plane"
        )
    for number, (picture, _) in zip(small, plane_pictures(network, planes=small, width=WHOLE), strict=True):
        yield f"plane{number}.svg", [standalone([picture])]
    if has_floor(network):
        yield "floor.svg", [standalone([picture for picture, _ in floor_pictures(network, width=WHOLE)])]


EXPORTER = Exporter("pictures of small planes, and of the floor with all cables", None, files)
