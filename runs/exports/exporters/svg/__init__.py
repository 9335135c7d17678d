"""Pictures in SVG: the graph of each small plane, and the floor plan with all cables."""

from collections.abc import Iterable
from io import BytesIO

import matplotlib as mpl
from matplotlib.figure import Figure

from isoplane.models import InputError
from isoplane.runs.drawing.drawing import drawing_style
from isoplane.runs.exports.exporter import Exported, Exporter, Files

from .floor_picture import floor_picture
from .plane_picture import MAX_SWITCHES, plane_picture


def files(exported: Exported) -> Files:
    """Yield a file for each plane that is small enough to be drawn, and one for the floor if there is a layout."""
    planes = exported.network.cabling
    small = [number for number, plane in enumerate(planes) if plane.topology.switches <= MAX_SWITCHES]
    has_floor = exported.network.family.cable_m is None and exported.network.floor is not None
    if not small and not has_floor:
        switches = max(plane.topology.switches for plane in planes)
        raise InputError(
            f"format=svg: {switches} switches without racks; expected a design with racks, or at most {MAX_SWITCHES} "
            "switches in a plane"
        )
    with drawing_style():
        for number in small:
            yield f"plane{number}.svg", _bytes(plane_picture(exported, number))
        if has_floor:
            yield "floor.svg", _bytes(floor_picture(exported))


def _bytes(figure: Figure) -> Iterable[bytes]:
    """Return a figure as SVG; the bytes are reproducible."""
    buffer = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "isoplane"}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return [buffer.getvalue()]


EXPORTER = Exporter("pictures of small planes, and of the floor with all cables", None, files)
