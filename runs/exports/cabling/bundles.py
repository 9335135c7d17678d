"""Bundles of cables between two racks, and the trays that they run through."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import rows_of
from isoplane.models.cabling.floor_plan import Floor, rack_name
from isoplane.models.files.exact_text import metres

from .cables import PlacedCables

HEADER = ("bundle", "from_rack", "to_rack", "trays", "cables", "length_m", "parts")
TRAY_HEADER = ("tray", "from_rack", "to_rack", "cables")


def bundle_rows(placed: PlacedCables) -> Iterator[tuple[str | int, ...]]:
    """Yield each bundle with its trays, the number and total length of its cables, and their number by part."""
    floor, (racks, of_cable) = placed.floor, placed.bundles
    totals = np.bincount(of_cable, placed.cables.length_mm, len(racks)).astype(np.int64).tolist()
    lengths, index = np.unique(placed.part_mm, return_inverse=True)
    kinds, counts = np.unique(of_cable * len(lengths) + index, return_counts=True)
    parts: dict[int, list[str]] = {}
    first = np.unique(placed.part_mm, return_index=True)[1].tolist()
    for kind, count in rows_of(kinds, counts):
        bundle, length = divmod(kind, len(lengths))
        parts.setdefault(bundle, []).append(f"{count} x {placed.parts[first[length]]}")
    numbers = np.bincount(of_cable, minlength=len(racks)).tolist()
    for bundle, (near, far) in enumerate(racks.tolist()):
        ends, total = (floor.names[near], floor.names[far]), metres(totals[bundle])
        yield f"B{bundle + 1}", *ends, _trays(floor, near, far), numbers[bundle], total, "; ".join(parts[bundle])


def _trays(floor: Floor, near: int, far: int) -> str:
    """Return the trays between two racks: along the row of the first, then across rows at the place of the other."""
    trays = []
    if floor.place[near] != floor.place[far]:
        trays.append(f"row {floor.row[near]}")
    if floor.row[near] != floor.row[far]:
        trays.append(f"cross {floor.place[far]}")
    return "; ".join(trays) or "inside"


def tray_rows(placed: PlacedCables) -> Iterator[tuple[str | int, ...]]:
    """Yield each stretch of a tray between two neighbouring places, with the number of its cables, if it has any."""
    floor, (racks, of_cable) = placed.floor, placed.bundles
    counts = np.bincount(of_cable, minlength=len(racks))
    near, far = racks.T
    row, place = (np.stack([each[near], each[far]], axis=1) for each in (floor.row, floor.place))
    for name, tray, between in (("row", row[:, 0], np.sort(place, axis=1)), ("cross", place[:, 1], row)):
        change = np.zeros((int(tray.max()) + 1, int(between.max()) + 2), dtype=np.int64)
        # Only where bundles enter and leave: sums along the tray give the cables of every stretch between.
        np.add.at(change, (tray, between[:, 0]), counts)
        np.add.at(change, (tray, between[:, 1]), -counts)
        cables = change.cumsum(axis=1)
        for number, start in np.argwhere(cables).tolist():
            ends = ((number, at) if name == "row" else (at, number) for at in (start, start + 1))
            yield f"{name} {number}", *(rack_name(*end) for end in ends), int(cables[number, start])
