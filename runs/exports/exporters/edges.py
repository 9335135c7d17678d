"""Edge lists, which `network=graph` and many graph libraries read."""

from collections.abc import Iterator

from isoplane.models.arrays import rows_of
from isoplane.models.device_names import switch_name
from isoplane.models.files.exact_text import metres

from ..exporter import Exported, Exporter, Files, as_bytes


def files(exported: Exported) -> Files:
    """Yield a file for each plane: two switches and the length of the cable in metres in each line.

    Comments before them have the names of the switches at the site, if they have any.
    """
    for plane in range(len(exported.network.cabling)):
        yield f"plane{plane}.edges", as_bytes(_lines(exported, plane))


def _lines(exported: Exported, plane: int) -> Iterator[str]:
    cables = exported.cables
    chosen = cables.where((cables.plane == plane) & ~cables.to_node)
    yield f"# {exported.network.title}, plane {plane}: switch, switch, length of the cable in metres"
    if exported.site_names:
        for switch in range(exported.network.cabling[plane].topology.switches):
            yield f"# {switch}: {exported.site_names[switch_name(plane, switch)]}"
    for switch, other, length_mm in rows_of(chosen.switch, chosen.other, chosen.length_mm):
        yield f"{switch} {other} {metres(length_mm)}"


EXPORTER = Exporter("edge list of the switches in each plane, without nodes", "isoplane", files)
