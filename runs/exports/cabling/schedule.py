"""The cable schedule: every cable from rack, unit, device and port to the same."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import Ints, rows_of
from isoplane.models.files.exact_text import dollars, metres

from .cables import PlacedCables

HEADER = (
    *("label", "plane", "kind"),
    *(f"{end}_{what}" for end in ("from", "to") for what in ("rack", "unit", "device", "port")),
    *("length_m", "part", "price_usd", "bundle", "remark"),
)
Row = tuple[str | int, ...]


def installation_order(placed: PlacedCables) -> tuple[Ints, Ints]:
    """Return the order of cables on the schedule, and which of its ends each runs from.

    A cable runs from the end in the rack with the lower number, within a rack from the upper unit; cables are in the
    order of the racks, units and ports where they start.
    """
    position = np.empty(len(placed.rack), dtype=np.int64)  # of devices, by rack and unit
    position[np.lexsort((placed.unit, placed.rack))] = np.arange(len(placed.rack))
    ends = position[placed.ends]
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
        *(array[at] for at in (near, far) for array in (placed.end_racks, placed.unit[placed.ends], placed.ends)),
        placed.ports[near],
        placed.ports[far],
        cables.length_mm[order],
        placed.cents[order],
        bundles[order],
    )
    remarks = short_cables(placed)
    for index, plane, to_node, rack, unit, device, *rest in rows_of(order, *columns):
        far_rack, far_unit, far_device, port, far_port, length_mm, cents, bundle = rest
        yield (
            labels[index],
            plane,
            "node" if to_node else "switch",
            racks[rack],
            unit,
            names[device],
            port,
            racks[far_rack],
            far_unit,
            names[far_device],
            far_port,
            metres(length_mm),
            parts[index],
            dollars(cents),
            f"B{bundle + 1}",
            remarks.get(index, ""),
        )


def short_cables(placed: PlacedCables) -> dict[int, str]:
    """Return a remark on each cable whose given length is less than its racks require."""
    short = np.flatnonzero(placed.part_mm < placed.needed_mm)
    needed = placed.needed_mm[short].tolist()
    return {index: f"too short: {metres(mm)} m" for index, mm in zip(short.tolist(), needed, strict=True)}
