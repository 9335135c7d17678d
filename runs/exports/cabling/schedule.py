"""The cable schedule: every cable from rack, position, device and port to the same."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import Ints, rows_of
from isoplane.models.files.exact_text import dollars, metres

from .cables import PlacedCables

HEADER = (
    *("label", "plane", "kind"),
    *(f"{end}_{what}" for end in ("from", "to") for what in ("rack", "position", "device", "port")),
    *("length_m", "part", "price_usd", "bundle", "remark"),
)
NAMES = ("from_name", "to_name")  # further columns, if devices have names at the site
Row = tuple[str | int, ...]


def installation_order(placed: PlacedCables) -> tuple[Ints, Ints]:
    """Return the order of cables on the schedule, and which of its ends each runs from.

    A cable runs from the end in the rack with the lower number, within a rack from the upper position; cables are in
    the order of the racks, positions and ports where they start.
    """
    place = np.empty(len(placed.rack), dtype=np.int64)  # of devices, by rack and position
    place[np.lexsort((placed.position, placed.rack))] = np.arange(len(placed.rack))
    ends = place[placed.ends]
    start = (ends[:, 1] < ends[:, 0]).astype(np.int64)
    cable = np.arange(len(ends))
    return np.lexsort((placed.ports[cable, start], ends[cable, start])), start


def schedule_rows(placed: PlacedCables) -> Iterator[Row]:
    """Yield the rows of the schedule, in the order of installation."""
    cables, (_, bundles) = placed.cables, placed.bundles
    racks, names, parts, labels = placed.floor.names, placed.names, placed.parts, placed.labels
    order, start = installation_order(placed)
    near, far = ((order, side[order]) for side in (start, 1 - start))
    columns = (
        cables.plane[order],
        cables.to_node[order],
        *(array[at] for at in (near, far) for array in (placed.end_racks, placed.position[placed.ends], placed.ends)),
        placed.ports[near],
        placed.ports[far],
        cables.length_mm[order],
        placed.cents[order],
        bundles[order],
    )
    remarks = short_cables(placed)
    for index, plane, to_node, rack, position, device, *rest in rows_of(order, *columns):
        far_rack, far_position, far_device, port, far_port, length_mm, cents, bundle = rest
        yield (
            labels[index],
            plane,
            "node" if to_node else "switch",
            racks[rack],
            position,
            names[device],
            port,
            racks[far_rack],
            far_position,
            names[far_device],
            far_port,
            metres(length_mm),
            parts[index],
            dollars(cents),
            f"B{bundle + 1}",
            remarks.get(index, ""),
            *([placed.at_site[device], placed.at_site[far_device]] if placed.at_site else ()),
        )


def short_cables(placed: PlacedCables) -> dict[int, str]:
    """Return a remark on each cable whose given length is less than its racks require."""
    short = np.flatnonzero(placed.part_mm < placed.needed_mm)
    needed = placed.needed_mm[short].tolist()
    return {index: f"too short: {metres(mm)} m" for index, mm in zip(short.tolist(), needed, strict=True)}
