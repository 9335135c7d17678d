"""The result of a cable check as text, CSV and JSON."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

from isoplane.runs.formats.text import counted

from .check import CableCheck
from .differences import Cable, Difference, Move

COLUMNS = (
    "difference",
    "kind",
    "row",
    "device_a",
    "port_a",
    "device_b",
    "port_b",
    "to_device",
    "to_port",
    "file",
    "line",
)
Row = tuple[object, ...]


def text_lines(check: CableCheck, name: str) -> Iterator[str]:
    """Yield the lines that a technician reads: each difference with what mends it, and the numbers in the last line.

    Parameters
    ----------
    check
        The result.
    name
        What the last line calls the files.
    """
    for number, each in enumerate(check.differences, start=1):
        yield from _difference_lines(check, number, each)
    for device in check.missing:
        yield f"{device} is not in the files"
    for device, where in check.unknown:
        yield f"{device} is not in the design: {where}"
    yield from _notes(check)
    moves = sum(len(each.moves) for each in check.differences)
    if check.agrees:
        yield f"{name}: every one of {counted(check.designed, 'cable')} agrees with the design"
    else:
        agree = f"{check.agreeing} of {counted(check.designed, 'cable')} agree with the design"
        yield f"{name}: {counted(len(check.differences), 'difference')}, {counted(moves, 'move')}; {agree}"


def _notes(check: CableCheck) -> Iterator[str]:
    for plane in check.unchecked:
        yield f"plane {plane} is not in the files: not checked"
    if check.inside:
        yield f"{counted(check.inside, 'aggregation node')} inside of switches: left out"
    for description, device in check.by_cables:
        yield f"{description!r} is {device}, as its cables show"
    if check.automorphisms is not None:
        yield (
            "devices are named by their cables, up to an automorphism of the fabric that keeps port numbers: one of "
            f"{check.automorphisms}"
        )
    if check.guesses:
        yield f"no cable shows what {counted(check.guesses, 'device')} may be: named in order"


def _difference_lines(check: CableCheck, number: int, each: Difference) -> Iterator[str]:
    found, designed = (", ".join(_cable(check, cable) for cable in part) for part in (each.found, each.designed))
    if each.found and each.designed:
        yield f"{number}. {each.kind}: {found}; expected {designed}"
    else:
        yield f"{number}. {each.kind}: {found or designed}"
    if each.kind == "swapped":
        first, second = (move.cable[1] for move in each.moves)
        a, b = sorted((first, second))
        yield f"   swap the ends at {check.devices.shown(a)} and {check.devices.shown(b)}"
        return
    if each.kind == "permuted":
        _, loose = each.moves[-1].cable
        yield f"   unplug {_cable(check, each.moves[-1].cable)} from {check.devices.shown(loose)}"
    yield from (f"   {_move(check, move)}" for move in each.moves)


def _move(check: CableCheck, move: Move) -> str:
    cable = _cable(check, move.cable)
    if move.to is None:
        return f"{move.action} the cable {cable}"
    return f"unplug {cable} from {check.devices.shown(move.cable[1])} and plug it into {check.devices.shown(move.to)}"


def _cable(check: CableCheck, cable: Cable) -> str:
    return " - ".join(check.devices.shown(end) for end in sorted(cable))


def csv_text(check: CableCheck) -> str:
    """Return a table with a row for each cable that differs, each move, and each device that is missing or unknown."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, each in enumerate(check.differences, start=1):
        writer.writerows((number, each.kind, *row) for row in _rows(check, each))
    rest = [None] * (len(COLUMNS) - 4)
    writer.writerows((None, "missing", "device", device, *rest) for device in check.missing)
    writer.writerows((None, "unknown", "device", device, *rest) for device, _ in check.unknown)
    return text.getvalue()


def _rows(check: CableCheck, each: Difference) -> Iterator[Row]:
    for cable in each.found:
        yield ("found", *_ends(check, cable), None, None, *check.places[cable[0]])
    for cable in each.designed:
        yield ("designed", *_ends(check, cable), None, None, None, None)
    for move in each.moves:
        to = (None, None) if move.to is None else _end(check, move.to)
        yield (move.action, *_end(check, move.cable[0]), *_end(check, move.cable[1]), *to, None, None)


def _ends(check: CableCheck, cable: Cable) -> Row:
    return tuple(value for end in sorted(cable) for value in _end(check, end))


def _end(check: CableCheck, end: int) -> tuple[str, int]:
    device, _, port = check.devices.shown(end).rpartition(":")
    return device, int(port)


def json_data(check: CableCheck) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "cables": {"designed": check.designed, "found": check.found, "agreeing": check.agreeing},
        "unchecked_planes": list(check.unchecked),
        "automorphisms": check.automorphisms,
        "by_cables": [{"name": name, "device": device} for name, device in check.by_cables],
        "named_in_order": check.guesses,
        "inside_switches": check.inside,
        "devices": [
            {"guid": None if listed.guid is None else hex(listed.guid), "name": listed.name, "device": name}
            for listed, name in check.identified
        ],
        "missing_devices": list(check.missing),
        "unknown_devices": [{"device": device, "place": where} for device, where in check.unknown],
        "differences": [
            {
                "kind": each.kind,
                "found": [
                    {
                        "ends": _json_ends(check, cable),
                        "file": check.places[cable[0]][0],
                        "line": check.places[cable[0]][1],
                    }
                    for cable in each.found
                ],
                "designed": [{"ends": _json_ends(check, cable)} for cable in each.designed],
                "moves": [
                    {
                        "action": move.action,
                        "cable": [list(_end(check, end)) for end in move.cable],
                        "to": None if move.to is None else list(_end(check, move.to)),
                    }
                    for move in each.moves
                ],
            }
            for each in check.differences
        ],
    }


def _json_ends(check: CableCheck, cable: Cable) -> list[list[object]]:
    return [list(_end(check, end)) for end in sorted(cable)]


def json_text(check: CableCheck) -> str:
    """Return the result as JSON."""
    return json.dumps(json_data(check), indent=1, sort_keys=True) + "\n"
