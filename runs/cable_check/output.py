"""The result of a cable check as CSV and JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from isoplane.models.files.exact_text import counted, csv_text
from isoplane.runs.imports.fabric_names import natural
from isoplane.runs.inputs.name_file import COLUMNS as NAME_COLUMNS

from .differences import Cable, Difference, Move
from .result import CableCheck, ShownEnd
from .slow_cables import SlowCable

COLUMNS = (
    *("difference", "kind", "row", "device_a", "port_a", "device_b", "port_b", "to_device", "to_port", "file", "line"),
    *("name_a", "own_port_a", "guid_a", "name_b", "own_port_b", "guid_b", "to_name", "to_own_port", "to_guid"),
)
Row = tuple[object, ...]
Place = tuple[str, int] | tuple[None, None]
NOWHERE = (None, None)


def csv_of(check: CableCheck) -> str:
    """Return a table with a row for each cable that differs, each move, and each device that is missing or unknown."""
    return csv_text(COLUMNS, _all_rows(check))


def names_csv(check: CableCheck) -> str:
    """Return a file of names: the GUID, or else the description, of each device that is in the design, and its name."""
    pairs = ((each.name if each.guid is None else hex(each.guid), name) for each, name in check.identified)
    return csv_text(NAME_COLUMNS, pairs)


def refused_names(check: CableCheck) -> Iterator[str]:
    """Yield why an import refuses the file of `names_csv`: hosts that are several nodes, and devices without a name."""
    nodes: dict[str, set[str]] = {}
    for device, name in check.identified:
        if device.kind == "adapter" and device.host:
            nodes.setdefault(device.host, set()).add(name)
    hosts = [host for host, names in nodes.items() if len(names) > 1]
    if hosts:
        more = f", and those of {counted(len(hosts) - 1, 'more host')} differ as well" if len(hosts) > 1 else ""
        names = " and ".join(sorted(nodes[hosts[0]], key=natural))
        yield f"adapters of {hosts[0]} are {names}{more}: import refuses these names; expected one node for each host"
    if check.unknown:
        count = counted(len(check.unknown), "device")
        yield f"lacks {count} not in the design, such as {check.unknown[0][0]}: import expects a name for each"


def _all_rows(check: CableCheck) -> Iterator[Row]:
    for devices in check.exchanges:
        yield from ((None, "exchanged", "device", *_columns(pair, NOWHERE)) for pair in pairwise(devices))
    for number, each in enumerate(check.differences, start=1):
        yield from ((number, each.kind, *row) for row in _rows(check, each))
    yield from (_slow_row(check, slow) for slow in check.slow)
    absent = [index for device, _, others in check.absent for index in (device, *others)]
    for kind, indices in (("missing", absent), ("unknown", [device for device, *_ in check.strangers])):
        yield from ((None, kind, "device", *_columns([check.device(index)], NOWHERE)) for index in indices)
    for cable in (cable for *_, cables in check.strangers for cable in cables):
        ends = list(map(check.found_end, sorted(cable)))
        yield (None, "unknown", "found", *_columns(ends, check.places[cable[0]]))


def _columns(ends: Sequence[ShownEnd | None], place: Place) -> Row:
    """Return the columns of up to three ends, as in the design and then as at the site, around a place in a file."""
    padded = [*ends, None, None][:3]
    design = chain(*(NOWHERE if end is None else end[:2] for end in padded))
    return (*design, *place, *chain(*((None, None, None) if end is None else end.at_site for end in padded)))


def _slow_row(check: CableCheck, slow: SlowCable) -> Row:
    ends = list(map(check.found_end, sorted(slow.cable)))
    kind = "slow_by_design" if slow.basis == "by_design" else "slow"
    return (None, kind, f"{slow.rate}", *_columns(ends, check.places[slow.cable[0]]))


def _rows(check: CableCheck, each: Difference) -> Iterator[Row]:
    for cable in each.found:
        yield ("found", *_columns(list(map(check.found_end, sorted(cable))), check.places[cable[0]]))
    for cable in each.designed:
        yield ("designed", *_columns(list(map(check.designed_end, sorted(cable))), NOWHERE))
    for move in each.moves:
        to = None if move.to is None else check.designed_end(move.to)
        yield (move.action, *_columns([*_ends(check, move), to], NOWHERE))


def _ends(check: CableCheck, move: Move) -> list[ShownEnd]:
    return [check.designed_end(end) if move.action == "add" else check.found_end(end) for end in move.cable]


def json_data(check: CableCheck) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "cables": {"designed": check.designed, "found": check.found, "agreeing": check.agreeing},
        "ports": "exact" if check.found_ports is None else "ignore",
        "unchecked_planes": list(check.unchecked),
        "automorphisms": check.automorphisms,
        "by_cables": [{"name": name, "device": device} for name, device in check.by_cables],
        "contradictions": [
            {"name": name, "device": device, "device_by_name": other} for name, device, other, _ in check.contradictions
        ],
        "named_in_order": check.guesses,
        "inside_switches": check.inside,
        "routers": check.routers,
        "notes": list(check.notes),
        "devices": [
            {"guid": None if listed.guid is None else hex(listed.guid), "name": listed.name, "device": name}
            for listed, name in check.identified
        ],
        "another_machine": check.is_another,
        "exchanged": [
            [{"device": end.device, "name": end.name, "guid": end.guid} for end in devices]
            for devices in check.exchanges
        ],
        "moves": {"count": check.moves, "by_names": check.moves_by_names, "by_cables": check.moves_by_cables},
        "missing_devices": list(check.missing),
        "missing_at_site": list(_missing_data(check)),
        "unknown_devices": list(_unknown_data(check)),
        "slow_cables": [_slow_data(check, slow) for slow in check.slow],
        "differences": [_difference_data(check, each) for each in check.differences],
    }


def _missing_data(check: CableCheck) -> Iterator[dict[str, Any]]:
    for device, cables, others in check.absent:
        for index in (device, *others):
            end = check.device(index)
            at_site = dict(zip(("name", "own_port", "guid"), end.at_site, strict=True))
            yield {"device": end.device, "port": end.port, **at_site, "cables": cables if index == device else None}


def _unknown_data(check: CableCheck) -> Iterator[dict[str, Any]]:
    for device, where, cables in check.strangers:
        ends = [_ends_of(check.found_end, cable) for cable in cables]
        yield {"device": check.devices.names[device], "place": where, "cables": ends}


def _slow_data(check: CableCheck, slow: SlowCable) -> dict[str, Any]:
    return {
        "ends": _ends_of(check.found_end, slow.cable),
        "ends_at_site": _ends_at_site(check.found_end, slow.cable),
        "rate": f"{slow.rate}",
        "expected": slow.expected,
        "basis": slow.basis,
    }


def _difference_data(check: CableCheck, each: Difference) -> dict[str, Any]:
    places = [dict(zip(("file", "line"), check.places[cable[0]], strict=True)) for cable in each.found]
    return {
        "kind": each.kind,
        "found": [
            {"ends": _ends_of(check.found_end, cable), **place} for cable, place in zip(each.found, places, strict=True)
        ],
        "found_at_site": [_ends_at_site(check.found_end, cable) for cable in each.found],
        "designed": [{"ends": _ends_of(check.designed_end, cable)} for cable in each.designed],
        "designed_at_site": [_ends_at_site(check.designed_end, cable) for cable in each.designed],
        "moves": [_move_data(check, move) for move in each.moves],
    }


def _move_data(check: CableCheck, move: Move) -> dict[str, Any]:
    ends, to = _ends(check, move), None if move.to is None else check.designed_end(move.to)
    return {
        "action": move.action,
        "cable": [end[:2] for end in ends],
        "cable_at_site": [end.at_site for end in ends],
        "to": None if to is None else to[:2],
        "to_at_site": None if to is None else to.at_site,
    }


def _ends_of(shown: Callable[[int], ShownEnd], cable: Cable) -> list[tuple[object, ...]]:
    """Return the devices and ports of the ends of a cable."""
    return [shown(end)[:2] for end in sorted(cable)]


def _ends_at_site(shown: Callable[[int], ShownEnd], cable: Cable) -> list[tuple[object, ...]]:
    """Return the names, ports and GUIDs at the site of the ends of a cable."""
    return [shown(end).at_site for end in sorted(cable)]


def json_text(check: CableCheck) -> str:
    """Return the result as JSON."""
    return json.dumps(json_data(check), indent=1, sort_keys=True) + "\n"
