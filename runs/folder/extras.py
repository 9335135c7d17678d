"""Files that a search writes in addition to the record of its best design."""

from pathlib import Path

from isoplane.models import Design
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.inputs.cross_connects import cross_connects

CROSS_CONNECTS = "cross_connects.csv"


def write_extras(folder: Path, design: Design) -> None:
    """Write the cross-connects of a design with circuits into a folder; other designs have none."""
    optical = design.network.optical
    if optical is not None and design.circuits is not None:
        write_atomically(folder / CROSS_CONNECTS, cross_connects(optical, design.circuits))
