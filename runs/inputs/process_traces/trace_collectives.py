"""Collective operations of time-independent traces, and the data types of their lengths."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.models.workloads.message_list import MAX_BYTES
from isoplane.models.workloads.programs import Collective

from .places import Place, require

DOUBLE = "0"  # the type of what has none, in traces whose init has an argument

# Bytes of an element by number of the type, as SMPI decodes it; without a number, one.
TYPE_BYTES = {0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1, 7: 8, 8: 1, 9: 1, 10: 2}

VARYING = ("alltoallv", "reducescatter", "allgatherv", "gatherv", "scatterv")  # with a length for each process

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


def bytes_of(place: Place, count: str, datatype: str | None, *, any_size: bool = False) -> int:
    """Return the length of some elements of a type; -1 for receives of any size."""
    number = place.integer(count, "count", -1 if any_size else 0)
    if number < 0:
        return -1
    known = {str(one): length for one, length in TYPE_BYTES.items()}
    if datatype is not None and datatype not in known:
        raise place.error(f"data type {datatype}", f"a number from 0 to {max(TYPE_BYTES)}")
    size_bytes = number if datatype is None else number * known[datatype]
    if size_bytes > MAX_BYTES:
        raise place.error(f"{size_bytes} bytes", f"at most {MAX_BYTES}")
    return size_bytes


def collective_of(
    place: Place, name: str, arguments: Sequence[str], processes: int, default: str | None
) -> tuple[Collective, str]:
    """Return a collective operation of all processes, and what each of them computes in it.

    Lengths without a type are of elements of the default one. Those of operations with a length for each process are
    as `_varying_of` returns them.
    """
    if name in VARYING:
        return _varying_of(place, name, arguments, processes, default)
    lengths, has_root, computes, which = COLLECTIVES[name]
    least = lengths + computes
    require(place, name, arguments, least, least + has_root + max(lengths, 1) * (lengths > 0))
    flops = arguments[lengths] if computes else "0"
    rest = list(arguments[least:])
    root = place.integer(rest.pop(0), "root", 0, processes - 1) if has_root and rest else 0
    size = bytes_of(place, arguments[which], rest[which] if len(rest) > which else default) if lengths else 0
    return Collective(name, np.roll(np.arange(processes), -root)[None], size), flops


def _varying_of(
    place: Place, name: str, arguments: Sequence[str], processes: int, default: str | None
) -> tuple[Collective, str]:
    """Return what a process says of an operation, and what it computes in it.

    The lengths of an `alltoallv` are what the process sends to each and, in a second row, receives from each; those of
    a `reducescatter` are the parts; those of the others are its own part and, in a second row, the parts of all.
    """
    if name == "reducescatter":
        require(place, name, arguments, processes + 1, processes + 2)
        datatype = arguments[processes + 1] if len(arguments) > processes + 1 else default
        size = _lengths(place, arguments[:processes], datatype)
        return Collective(name, np.arange(processes)[None], size), arguments[processes]
    if name == "alltoallv":
        require(place, name, arguments, 2 * processes + 2, 2 * processes + 4)
        types = [*arguments[2 * processes + 2 :], default, default]
        rows = arguments[1 : processes + 1], arguments[processes + 2 : 2 * processes + 2]
        sent, received = (_lengths(place, row, datatype) for row, datatype in zip(rows, types, strict=False))
        return Collective(name, np.arange(processes)[None], np.stack([sent, received])), "0"
    has_root = name != "allgatherv"
    require(place, name, arguments, processes + 1, processes + 3 + has_root)
    rest = list(arguments[processes + 1 :])
    root = place.integer(rest.pop(0), "root", 0, processes - 1) if has_root and rest else 0
    types = [*rest, default, default]
    if name == "scatterv":
        parts, own = _lengths(place, arguments[:processes], types[0]), bytes_of(place, arguments[processes], types[1])
    else:
        own, parts = bytes_of(place, arguments[0], types[0]), _lengths(place, arguments[1 : processes + 1], types[1])
    size = np.stack([np.full(processes, own), parts])
    return Collective(name, np.roll(np.arange(processes), -root)[None], size), "0"


def _lengths(place: Place, counts: Sequence[str], datatype: str | None) -> Ints:
    """Return the bytes of numbers of elements."""
    return np.array([bytes_of(place, count, datatype) for count in counts], dtype=np.int64)


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
        _joined(together) if together[0][1].name in VARYING else together[0][1]
        for together in zip(*of_processes, strict=True)
    ]


def _described(operation: Collective) -> str:
    """Return what processes must have in common."""
    if operation.name not in VARYING:
        return f"{operation.name} of {operation.size_bytes} bytes from {operation.groups[0, 0]}"
    if operation.name == "reducescatter":
        return f"{operation.name} of {np.asarray(operation.size_bytes).tolist()} bytes"
    if operation.name == "allgatherv":
        return f"{operation.name} of {np.asarray(operation.size_bytes)[1].tolist()} bytes"
    if operation.name == "alltoallv":
        return operation.name
    return f"{operation.name} with root {operation.groups[0, 0]}"


def _joined(together: Sequence[tuple[Place, Collective]]) -> Collective:
    """Return the operation that processes execute together, given in their order.

    Raises
    ------
    InputError
        If a process does not receive what another one sends.
    """
    first = together[0][1]
    sizes = np.stack([np.asarray(operation.size_bytes) for _, operation in together])
    if first.name == "reducescatter":  # in pairs: to each process the part that it keeps
        return Collective("alltoallv", first.groups, sizes)
    if first.name == "alltoallv":
        _require_equal(together, sizes[:, 0].T, sizes[:, 1])
        return Collective(first.name, first.groups, sizes[:, 0])
    root = first.groups[0, 0]
    parts = sizes[root, 1]  # of gathers and scatters, other processes may not know them
    sent = np.zeros((len(together), len(together)), dtype=np.int64)  # by receiver and sender
    received = sent.copy()
    if first.name == "gatherv":
        sent[root], received[root] = sizes[:, 0, 0], parts
    elif first.name == "scatterv":
        sent[:, root], received[:, root] = parts, sizes[:, 0, 0]
    else:
        sent[:], received[:] = sizes[:, 0, 0], parts
    np.fill_diagonal(received, np.diag(sent))  # in place, a process need not say its own part
    _require_equal(together, sent, received)
    return Collective(first.name, first.groups, parts[first.groups[0]])


def _require_equal(together: Sequence[tuple[Place, Collective]], sent: Ints, received: Ints) -> None:
    """Require processes to receive what others send; both arrays are by receiver and sender."""
    wrong = np.argwhere(sent != received)
    if len(wrong):
        receiver, sender = wrong[0]
        place, operation = together[receiver]
        raise place.error(
            f"{operation.name} with {received[receiver, sender]} bytes received from process {sender}",
            f"{sent[receiver, sender]}, as sent",
        )
