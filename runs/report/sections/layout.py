"""Note on a network without a layout."""

from isoplane.runs.drawing.block import Block, Part

from ..report_data import ReportData

ORDER = 95
KINDS = ("switches", "cubes")


def block(data: ReportData) -> Block | None:
    """Return the note if a network that uses a site has no layout."""
    family = data.network.family
    if not family.uses_site or data.network.site.layout is not None:
        return None
    text = "This network has no layout, so there are no racks, no cable lengths, no delays and no costs to show."
    return Block("layout", "Floor plan, cables and cost", [Part.text(text)])
