"""The table of circuits: what is to be joined, and what goes over it."""

from collections import Counter

from .busy import busy_times
from .measures import significant
from .report_data import Assignment

MAX_ROWS = 64


def circuit_rows(design: Assignment) -> tuple[list[list[str]], str]:
    """Return the head and a row for every circuit, and a note on those that are left out."""
    hybrid, loads = design.hybrid, design.loads
    times, process = busy_times(hybrid, loads), design.placement.processes
    used: Counter[int] = Counter()
    rows = [["circuit", "nodes", "ports", "processes", "groups", "MB ahead", "MB back", "busy (ms)"]]
    for number, (a, b) in enumerate(design.circuits.pairs[:MAX_ROWS]):
        ahead, back = (significant(way[number] / 1e6) for way in (loads.ahead, loads.back))
        rows.append(
            [
                str(number),
                f"{a} – {b}",
                f"{used[a]} – {used[b]}",
                f"{process[a]} – {process[b]}",
                f"{hybrid.group_of(a)} – {hybrid.group_of(b)}",
                ahead,
                back,
                significant(max(times.ahead[number], times.back[number])),
            ]
        )
        used.update((a, b))
    count = len(design.circuits)
    if count <= MAX_ROWS:
        return rows if count else [], ""
    return rows, f"The first {MAX_ROWS} of {count:,} circuits; the record and cross_connects.csv of a run hold all."
