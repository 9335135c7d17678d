"""The result of a cable check as text, CSV and JSON."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import Any

from isoplane.runs.formats.link_rate import listed
from isoplane.runs.formats.text import counted

from .differences import Cable, Difference, Move
from .result import CableCheck, ShownEnd
from .slow_cables import SlowCable

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
    yield from _slow_lines(check)
    yield from _notes(check)
    low = f", {counted(len(check.slow_by_mistake), 'cable')} at a low rate" if check.slow_by_mistake else ""
    moves = sum(len(each.moves) for each in check.differences)
    if check.agrees:
        yield f"{name}: every one of {counted(check.designed, 'cable')} agrees with the design"
    else:
        agree = f"{check.agreeing} of {counted(check.designed, 'cable')} agree with the design"
        yield f"{name}: {counted(len(check.differences), 'difference')}, {counted(moves, 'move')}{low}; {agree}"


def _slow_lines(check: CableCheck) -> Iterator[str]:
    """Yield a line for each rate that is too low, with the cables that have it."""
    by_rate: dict[str, list[str]] = {}
    for slow in check.slow:
        by_rate.setdefault(slow.text, []).append(_found(check, slow.cable))
    yield from (f"{text}: {listed(cables)}" for text, cables in by_rate.items())


def _notes(check: CableCheck) -> Iterator[str]:
    for plane in check.unchecked:
        yield f"plane {plane} is not in the files: not checked"
    if check.found_ports is not None:
        yield "port numbers are ignored"
    if check.inside:
        yield f"{counted(check.inside, 'aggregation node')} inside of switches: left out"
    for description, device, other in check.contradictions:
        yield f"{description!r} is {device} by its GUID, but {other} by its name: the GUID decides"
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
    found = ", ".join(_found(check, cable) for cable in each.found)
    designed = ", ".join(_designed(check, cable) for cable in each.designed)
    if each.found and each.designed:
        yield f"{number}. {each.kind}: {found}; expected {designed}"
    else:
        yield f"{number}. {each.kind}: {found or designed}"
    if each.kind == "swapped":
        first, second = sorted(move.cable[1] for move in each.moves)
        yield f"   swap the ends at {_shown(check.found_end(first))} and {_shown(check.found_end(second))}"
        return
    if each.kind == "permuted":
        _, loose = each.moves[-1].cable
        yield f"   unplug {_found(check, each.moves[-1].cable)} from {_shown(check.found_end(loose))}"
    yield from (f"   {_move(check, move)}" for move in each.moves)


def _move(check: CableCheck, move: Move) -> str:
    if move.action == "add":
        return f"add the cable {_designed(check, move.cable)}"
    cable = _found(check, move.cable)
    if move.to is None:
        return f"remove the cable {cable}"
    end, to = _shown(check.found_end(move.cable[1])), _shown(check.designed_end(move.to))
    return f"unplug {cable} from {end} and plug it into {to}"


def _found(check: CableCheck, cable: Cable) -> str:
    return " - ".join(_shown(check.found_end(end)) for end in sorted(cable))


def _designed(check: CableCheck, cable: Cable) -> str:
    return " - ".join(_shown(check.designed_end(end)) for end in sorted(cable))


def _shown(end: ShownEnd) -> str:
    """Return an end as a technician reads it, such as ``P0-S12:3``, or ``P0-S12`` for any of its ports."""
    device, port = end
    return device if port is None else f"{device}:{port}"


def csv_text(check: CableCheck) -> str:
    """Return a table with a row for each cable that differs, each move, and each device that is missing or unknown."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, each in enumerate(check.differences, start=1):
        writer.writerows((number, each.kind, *row) for row in _rows(check, each))
    rest = [None] * (len(COLUMNS) - 4)
    writer.writerows(_slow_row(check, slow) for slow in check.slow_by_mistake)
    writer.writerows((None, "missing", "device", device, *rest) for device in check.missing)
    writer.writerows((None, "unknown", "device", device, *rest) for device, _ in check.unknown)
    return text.getvalue()


def _slow_row(check: CableCheck, slow: SlowCable) -> Row:
    ends = chain(*map(check.found_end, sorted(slow.cable)))
    return (None, "slow", f"{slow.rate}", *ends, None, None, *check.places[slow.cable[0]])


def _rows(check: CableCheck, each: Difference) -> Iterator[Row]:
    for cable in each.found:
        yield ("found", *chain(*map(check.found_end, sorted(cable))), None, None, *check.places[cable[0]])
    for cable in each.designed:
        yield ("designed", *chain(*map(check.designed_end, sorted(cable))), None, None, None, None)
    for move in each.moves:
        to = (None, None) if move.to is None else check.designed_end(move.to)
        yield (move.action, *chain(*_ends(check, move)), *to, None, None)


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
            {"name": name, "device": device, "device_by_name": other} for name, device, other in check.contradictions
        ],
        "named_in_order": check.guesses,
        "inside_switches": check.inside,
        "devices": [
            {"guid": None if listed.guid is None else hex(listed.guid), "name": listed.name, "device": name}
            for listed, name in check.identified
        ],
        "missing_devices": list(check.missing),
        "unknown_devices": [{"device": device, "place": where} for device, where in check.unknown],
        "slow_cables": [
            {
                "ends": [check.found_end(end) for end in sorted(slow.cable)],
                "rate": f"{slow.rate}",
                "expected": slow.expected,
                "basis": slow.basis,
            }
            for slow in check.slow
        ],
        "differences": [
            {
                "kind": each.kind,
                "found": [
                    {
                        "ends": [check.found_end(end) for end in sorted(cable)],
                        "file": check.places[cable[0]][0],
                        "line": check.places[cable[0]][1],
                    }
                    for cable in each.found
                ],
                "designed": [{"ends": [check.designed_end(end) for end in sorted(cable)]} for cable in each.designed],
                "moves": [
                    {
                        "action": move.action,
                        "cable": _ends(check, move),
                        "to": None if move.to is None else check.designed_end(move.to),
                    }
                    for move in each.moves
                ],
            }
            for each in check.differences
        ],
    }


def json_text(check: CableCheck) -> str:
    """Return the result as JSON."""
    return json.dumps(json_data(check), indent=1, sort_keys=True) + "\n"
