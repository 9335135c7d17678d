"""Cables for the import of NetBox, an inventory of data centres."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from isoplane.models.cabling.cable_list import CableList
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.files.exact_text import as_csv, metres
from isoplane.models.site.prices import PriceList

from ..cabling.cables import cable_labels
from ..exporter import Exported, Exporter, Files

HEADER = (
    *(f"side_{end}_{what}" for end in "ab" for what in ("device", "type", "name")),
    *("type", "status", "label", "color", "length", "length_unit"),
)
INTERFACE = "dcim.interface"
TYPES = {"copper": "dac-passive", "optics": "aoc", "cable": ""}  # NetBox's, by class of the catalogue
COLOURS = ("2196f3", "ff9800", "4caf50", "9c27b0", "f44336", "009688", "795548", "607d8b")  # by plane


def files(exported: Exported) -> Files:
    """Yield ``cables.csv``, with one row for each cable."""
    yield "cables.csv", as_csv(HEADER, _rows(exported.cables, exported.network.site.prices, _names(exported)))


def _names(exported: Exported) -> dict[str, str]:
    """Return the names at the site by which NetBox has devices: those of one device only, as names are unique there."""
    uses = Counter(exported.site_names.values())
    return {device: name for device, name in exported.site_names.items() if uses[name] == 1}


def _rows(cables: CableList, prices: PriceList, names: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    by_length = {mm: (TYPES[prices.cable_class(mm)], *_length(mm)) for mm in np.unique(cables.length_mm).tolist()}
    columns = (cables.plane, cables.switch, cables.switch_port, cables.to_node, cables.other, cables.other_port)
    rows = zip(cable_labels(cables), cables.length_mm.tolist(), *(each.tolist() for each in columns), strict=True)
    for label, length_mm, plane, switch, port, to_node, other, other_port in rows:
        far = node_name(other) if to_node else switch_name(plane, other)
        kind, length, unit = by_length[length_mm]
        near = switch_name(plane, switch)
        side_a, side_b = (
            (names.get(device, device), INTERFACE, f"P{number}") for device, number in ((near, port), (far, other_port))
        )
        yield *side_a, *side_b, kind, "planned", label, COLOURS[plane % len(COLOURS)], length, unit


def _length(length_mm: int) -> tuple[str, str]:
    """Return a length and its unit: NetBox allows two decimals, so millimetres need centimetres; 0 is unknown."""
    if not length_mm:
        return "", ""
    return (metres(length_mm), "m") if length_mm % 10 == 0 else (f"{length_mm // 10}.{length_mm % 10}", "cm")


EXPORTER = Exporter("cables for NetBox's CSV import", None, files)
