"""Check that OpenSM has set the exported forwarding tables: python3 check_tables.py TABLES DUMP LOG.

TABLES is the exported file, DUMP what OpenSM or dump_fts read from the switches (opensm-lfts.dump), LOG the log of
OpenSM. Exit code 0 if all entries agree, else 1. It needs nothing but Python 3.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

SWITCH = re.compile(r"Unicast lids .* guid 0x([0-9a-fA-F]+)")
ENTRY = re.compile(r"\s*0x([0-9a-fA-F]{1,4})\s+(\d{3})\b(?:.*portguid 0x([0-9a-fA-F]+))?")
CONFIGURED = re.compile(r"(\S+) tables configured on all switches")
FAILED = re.compile(r"ERR 63|PARSE ERROR|(?:cannot|unable|fail|error).*(?:routing|lfts|tables)", re.IGNORECASE)
OPTION = "routing engine 'no_fallback'"  # OpenSM takes this option, and then logs that it is no routing engine
MAX_SHOWN = 10

Entry = tuple[int, int]  # port, and GUID of the port of the destination


def entries(path: Path) -> dict[int, dict[int, Entry]]:
    """Return the entry of each LID at each switch, by the GUID of the switch; port 255 stands for no entry."""
    found: dict[int, dict[int, Entry]] = {}
    table: dict[int, Entry] = {}
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if entry := ENTRY.match(line):
                if entry[2] != "255":
                    table[int(entry[1], 16)] = int(entry[2]), int(entry[3] or "0", 16)
            elif switch := SWITCH.match(line):
                table = found.setdefault(int(switch[1], 16), {})
    return found


def log_problems(text: str) -> Iterator[str]:
    """Yield what is wrong with a log of OpenSM: no tables, or those of another routing."""
    engines = CONFIGURED.findall(text)
    if not engines:
        yield "the log has no line that tables were configured on all switches"
    elif engines[-1] != "file":
        yield f"OpenSM has set tables of its routing {engines[-1]}, not those of the file"
    for line in text.splitlines():
        if FAILED.search(line) and OPTION not in line:
            yield f"log: {line.strip()}"


def table_problems(ours: dict[int, dict[int, Entry]], theirs: dict[int, dict[int, Entry]]) -> Iterator[str]:
    """Yield the differences between exported tables and those of the switches."""
    if not ours:
        yield "the exported file has no tables"
    for guid in sorted(ours.keys() | theirs.keys()):
        if guid not in theirs or guid not in ours:
            yield f"switch 0x{guid:016x}: {'not in the subnet' if guid in ours else 'not in the exported tables'}"
            continue
        for lid in sorted(ours[guid].keys() | theirs[guid].keys()):
            exported, found = (table[guid].get(lid) for table in (ours, theirs))
            if exported != found:
                yield f"switch 0x{guid:016x} LID 0x{lid:04x}: exported {shown(exported)}; in the switch {shown(found)}"


def shown(entry: Entry | None) -> str:
    """Return an entry in words."""
    return "no entry" if entry is None else f"port {entry[0]:03d} to port GUID 0x{entry[1]:016x}"


def main(arguments: list[str]) -> int:
    """Print the first differences, or the number of equal entries; return the exit code."""
    if len(arguments) != 3:
        print("expected three files: exported tables, dump, log", file=sys.stderr)
        return 1
    tables, dump, log = map(Path, arguments)
    found = [f"{path}: no such file" for path in (tables, dump, log) if not path.is_file()]
    if log.is_file():
        found += log_problems(log.read_text(encoding="utf-8", errors="replace"))
    ours = entries(tables) if tables.is_file() else {}
    if dump.is_file():
        found += table_problems(ours, entries(dump))
    for problem in found[:MAX_SHOWN]:
        print(problem)
    if found:
        print(f"{len(found)} problems")
        return 1
    print(f"{sum(map(len, ours.values()))} entries of {len(ours)} switches are those exported")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
