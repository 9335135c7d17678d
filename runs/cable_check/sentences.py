"""The result of a cable check as the lines that a technician reads."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

from isoplane.models.files.exact_text import counted
from isoplane.runs.imports.discovery.descriptions import host_name

from .differences import Cable, Difference, Move
from .result import CableCheck, ShownEnd

EXCHANGED = 3  # two devices, and the first one again
MAX_SHOWN = 8  # of a list in a line
WIDTH = 100  # columns of a terminal
INDENT = "   "
BETWEEN_PARTS = re.compile(r"(?<=[,;:]) (?![^()]*\))")  # a device may have commas in parentheses


def terminal_lines(check: CableCheck, name: str, saved: str | None) -> Iterator[str]:
    """Yield the lines of `text_lines` in the width of a terminal: longer ones are continued, indented, in the next.

    Parameters
    ----------
    check, name
        The result, and what the last line calls the files.
    saved
        The file that has all of it; None if there is none.
    """
    rest = f"see {saved}" if saved else "save=FILE.csv or .json lists all"
    for line in text_lines(check, name, rest):
        indent = line[: len(line) - len(line.lstrip())] + INDENT
        row = ""
        for part in BETWEEN_PARTS.split(line):
            longer = f"{row} {part}" if row else part
            if len(longer) > WIDTH and row:
                yield row
                longer = f"{indent}{part}"
            *rows, row = textwrap.wrap(longer, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
            yield from rows
        yield row


def text_lines(check: CableCheck, name: str, rest: str = "...") -> Iterator[str]:
    """Yield the lines that a technician reads: each difference with what mends it, and the numbers in the last line.

    Parameters
    ----------
    check
        The result.
    name
        What the last line calls the files.
    rest
        What stands for the rest of a long list.
    """
    if check.is_another:
        yield f"{name} seems to list another machine"
    yield from _exchange_lines(check, rest)
    for number, each in enumerate(check.differences, start=1):
        yield from _difference_lines(check, number, each, rest)
    yield from _device_lines(check, rest)
    yield from _slow_lines(check, rest)
    yield from _notes(check)
    if check.other_ports:
        differ = f"{counted(check.other_ports, 'port')} {'differs' if check.other_ports == 1 else 'differ'}"
        ignored = " (allowed with ports=ignore)" if check.automorphisms is None else ""
        yield f"every pair of devices is cabled as designed, only {differ}{ignored}"
    low = f", {counted(len(check.slow_by_mistake), 'cable')} at a low rate" if check.slow_by_mistake else ""
    if check.agrees:
        yield f"{name}: every one of {counted(check.designed, 'cable')} agrees with the design"
    else:
        agree = f"{check.agreeing} of {counted(check.designed, 'cable')} agree with the design"
        yield f"{name}: {counted(check.count, 'difference')}, {counted(check.moves, 'move')}{low}; {agree}"


def _device_lines(check: CableCheck, rest: str) -> Iterator[str]:
    """Yield a line for each of the first devices that one side lacks, and one for the number of the others."""
    for missing, cables, others in check.absent[:MAX_SHOWN]:
        yield _absent_line(check, missing, cables, _list([_shown(check.device(other)) for other in others], rest))
    if len(check.absent) > MAX_SHOWN:
        yield f"{len(check.absent) - MAX_SHOWN} more devices are not in the files: {rest}"
    for index, where, extra in check.strangers[:MAX_SHOWN]:
        extra_cables = _list([_found(check, cable) for cable in extra], rest)
        device = check.devices.names[index]
        yield f"{device} is not in the design: {where}{f'; its cables: {extra_cables}' if extra else ''}"
    if len(check.strangers) > MAX_SHOWN:
        yield f"{len(check.strangers) - MAX_SHOWN} more devices are not in the design: {rest}"


def _exchange_lines(check: CableCheck, rest: str) -> Iterator[str]:
    """Yield a line for devices whose names are exchanged, and one for what that changes."""
    for devices in check.exchanges:
        shown = [_shown(device) for device in devices]
        if len(shown) == EXCHANGED and devices[0] == devices[-1]:
            yield f"exchanged: {shown[0]} and {shown[1]} have the cables of each other"
        else:
            yield f"exchanged: {_list([f'{a} has the cables of {b}' for a, b in pairwise(shown)], rest)}"
    if check.exchanges:
        left = f"{check.moves_by_cables} of {counted(check.moves_by_names, 'move')}"
        yield f"first exchange these names, or the devices: {left} remain"


def _list(items: Sequence[str], rest: str) -> str:
    """Return the first items of a list, the number of the others, and what stands for them.

    Examples
    --------
    >>> _list([f"P0-S{number}" for number in range(45)], "see all.csv")[-37:]
    'P0-S6, P0-S7 and 37 more: see all.csv'
    """
    more = len(items) - MAX_SHOWN
    return ", ".join(items[:MAX_SHOWN]) + (f" and {more} more: {rest}" if more > 0 else "")


def _absent_line(check: CableCheck, device: int, cables: int, others: str) -> str:
    shown = f"{_shown(check.device(device))} is not in the files"
    if cables:
        shown += f", with {counted(cables, 'cable')} in the design"
    if others:
        shown += f", nor what only it connects: {others}"
    return shown


def _slow_lines(check: CableCheck, rest: str) -> Iterator[str]:
    """Yield a line for each rate that is too low, with the cables that have it."""
    by_rate: dict[str, list[str]] = {}
    for slow in check.slow:
        by_rate.setdefault(slow.text, []).append(_found(check, slow.cable))
    yield from (f"{text}: {_list(cables, rest)}" for text, cables in by_rate.items())


def _notes(check: CableCheck) -> Iterator[str]:
    yield from check.notes
    for plane in check.unchecked:
        yield f"plane {plane} is not in the files: not checked"
    if check.found_ports is not None:
        yield "port numbers are ignored"
    if check.inside:
        yield f"{counted(check.inside, 'aggregation node')} inside of switches: left out"
    if check.routers:
        yield f"{counted(check.routers, 'router')}: left out"
    yield from _contradiction_lines(check)
    yield from _lines_by_cables(check)
    if check.automorphisms is not None:
        yield (
            "devices are named by their cables, up to an automorphism of the fabric that keeps port numbers: one of "
            f"{check.automorphisms}"
        )
    if check.guesses:
        yield f"no cable shows what {counted(check.guesses, 'device')} may be: named in order"


def _lines_by_cables(check: CableCheck) -> Iterator[str]:
    """Yield a line for each device that cables identify, but for adapters of hosts after which nodes are called."""
    for description, device in check.by_cables:
        name, host = check.device_of_name(device).name, host_name(description)
        if description == name:
            yield f"{description!r} is {device}, as its cables show"
        elif not host or host not in (name, host_name(name)):
            yield f"{description!r} is {_device(check, device)}, as its cables show"


def _contradiction_lines(check: CableCheck) -> Iterator[str]:
    """Yield a line for devices that are another one by their names, by what decided: the first, and how many more."""
    for basis in sorted({each[-1] for each in check.contradictions}):
        chosen = [each for each in check.contradictions if each[-1] == basis]
        description, device, other, _ = chosen[0]
        more = f", as for {counted(len(chosen) - 1, 'more device')}" if len(chosen) > 1 else ""
        decides = "the GUID decides" if basis == "its GUID" else f"{basis} decides"
        by_name = _device(check, other)
        yield f"{description!r} is {_device(check, device)} by {basis}, but {by_name} by its name: {decides}{more}"


def _difference_lines(check: CableCheck, number: int, each: Difference, rest: str) -> Iterator[str]:
    found = _list([_found(check, cable) for cable in each.found], rest)
    designed = _list([_designed(check, cable) for cable in each.designed], rest)
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
    """Return an end as a technician reads it, such as ``leaf0:5 (P0-S0:5, 0x1000)``, or ``P0-S0`` for any port.

    A device that the site calls otherwise than the design is ``leaf1:5 (0x2000, in the design leaf0:5, P0-S0:5)``.
    """
    device = _at(end.device, end.port)
    if end.designed:
        parts = (end.guid, f"in the design {_at(end.designed, end.own_port)}", device)
        return f"{_at(end.name, end.own_port)} ({', '.join(filter(None, parts))})"
    if end.name in ("", end.device) or end.device.startswith(f"{end.name} ("):
        return device
    return f"{_at(end.name, end.own_port)} ({', '.join(filter(None, (device, end.guid)))})"


def _device(check: CableCheck, device: str) -> str:
    """Return a device by its name in the design as a technician reads it, beside that of the files."""
    shown = check.device_of_name(device)
    return _shown(shown._replace(name=shown.designed, guid="", designed="") if shown.designed else shown)


def _at(device: str, port: int | None) -> str:
    return device if port is None else f"{device}:{port}"
