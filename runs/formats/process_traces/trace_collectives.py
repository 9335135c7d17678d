"""Collective operations of time-independent traces."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.process_programs import Collective

from .places import Place
from .trace_types import bytes_of

# By name: number of lengths, and whether a root and an amount of computing may follow them.
COLLECTIVES = {
    "barrier": (0, False, False),
    "bcast": (1, True, False),
    "reduce": (1, True, True),
    "allreduce": (1, False, True),
    "allgather": (2, False, False),
    "alltoall": (2, False, False),
}


def collective_of(place: Place, name: str, arguments: Sequence[str], processes: int) -> tuple[Collective, str]:
    """Return a collective operation of all processes, and what each of them computes in it.

    Raises
    ------
    InputError
        If an argument is missing or out of range.
    """
    lengths, has_root, computes = COLLECTIVES[name]
    least = lengths + computes
    require(place, name, arguments, least, least + has_root + max(lengths, 1) * (lengths > 0))
    flops = arguments[lengths] if computes else "0"
    rest = list(arguments[least:])
    root = place.integer(rest.pop(0), "root", 0, processes - 1) if has_root and rest else 0
    size = bytes_of(place, arguments[0], rest[0] if rest else None) if lengths else 0
    return Collective(name, np.roll(np.arange(processes), -root)[None], size), flops


def require(place: Place, name: str, arguments: Sequence[str], least: int, most: int) -> None:
    """Require a number of arguments.

    Raises
    ------
    InputError
        If there are fewer or more.
    """
    if not least <= len(arguments) <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        raise place.error(f"{name} with {len(arguments)} arguments", expected)


def require_same(of_processes: Sequence[Sequence[tuple[Place, Collective]]], path: Path) -> None:
    """Require that all processes have the same collective operations in the same order.

    Raises
    ------
    InputError
        If one does not.
    """
    first = of_processes[0]
    for process, found in enumerate(of_processes):
        for (place, one), (_, other) in zip(found, first, strict=False):
            if (one.name, one.size_bytes, one.groups[0, 0]) != (other.name, other.size_bytes, other.groups[0, 0]):
                raise place.error(
                    f"{one.name} of {one.size_bytes} bytes from {one.groups[0, 0]}",
                    f"{other.name} of {other.size_bytes} bytes from {other.groups[0, 0]}, as of process 0",
                )
        if len(found) != len(first):
            raise InputError(
                f"workload.file={path}: {len(found)} collective operations of process {process}; "
                f"expected {len(first)}, as of process 0"
            )
