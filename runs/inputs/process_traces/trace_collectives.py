"""Collective operations of time-independent traces."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.workloads.programs import Collective

from .places import Place, require
from .trace_types import bytes_of
from .varying_collectives import VARYING, described, joined, varying_of

# By name: number of lengths, whether a root and an amount of computing may follow them, and which length counts.
COLLECTIVES = {
    "barrier": (0, False, False, 0),
    "bcast": (1, True, False, 0),
    "reduce": (1, True, True, 0),
    "allreduce": (1, False, True, 0),
    "scan": (1, False, True, 0),
    "exscan": (1, False, True, 0),
    "allgather": (2, False, False, 0),
    "alltoall": (2, False, False, 0),
    "gather": (2, True, False, 0),  # that of the sends: others than the root receive nothing
    "scatter": (2, True, False, 1),
}


def collective_of(
    place: Place, name: str, arguments: Sequence[str], processes: int, default: str | None
) -> tuple[Collective, str]:
    """Return a collective operation of all processes, and what each of them computes in it.

    Lengths without a type are of elements of the default one. Those of operations with a length for each process are
    as `varying_of` returns them.
    """
    if name in VARYING:
        return varying_of(place, name, arguments, processes, default)
    lengths, has_root, computes, which = COLLECTIVES[name]
    least = lengths + computes
    require(place, name, arguments, least, least + has_root + max(lengths, 1) * (lengths > 0))
    flops = arguments[lengths] if computes else "0"
    rest = list(arguments[least:])
    root = place.integer(rest.pop(0), "root", 0, processes - 1) if has_root and rest else 0
    size = bytes_of(place, arguments[which], rest[which] if len(rest) > which else default) if lengths else 0
    return Collective(name, np.roll(np.arange(processes), -root)[None], size), flops


def collectives_of(of_processes: Sequence[Sequence[tuple[Place, Collective]]], path: Path) -> list[Collective]:
    """Return the collective operations, which all processes have in the same order.

    Raises
    ------
    InputError
        If one does not, or processes do not receive what others send.
    """
    first = of_processes[0]
    for process, found in enumerate(of_processes):
        for (place, one), (_, other) in zip(found, first, strict=False):
            if _described(one) != _described(other):
                raise place.error(_described(one), f"{_described(other)}, as of process 0")
        if len(found) != len(first):
            raise InputError(
                f"workload.file={path}: {len(found)} collective operations of process {process}; "
                f"expected {len(first)}, as of process 0"
            )
    return [
        joined(together) if together[0][1].name in VARYING else together[0][1]
        for together in zip(*of_processes, strict=True)
    ]


def _described(one: Collective) -> str:
    """Return what processes must have in common."""
    return described(one) if one.name in VARYING else f"{one.name} of {one.size_bytes} bytes from {one.groups[0, 0]}"
