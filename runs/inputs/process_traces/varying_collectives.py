"""Collective operations of time-independent traces that have a length for each process."""

from collections.abc import Sequence

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.workloads.programs import Collective

from .places import Place, require
from .trace_types import bytes_of

VARYING = ("alltoallv", "reducescatter", "allgatherv", "gatherv", "scatterv")


def varying_of(
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


def described(operation: Collective) -> str:
    """Return what processes must have in common."""
    if operation.name == "reducescatter":
        return f"{operation.name} of {np.asarray(operation.size_bytes).tolist()} bytes"
    if operation.name == "allgatherv":
        return f"{operation.name} of {np.asarray(operation.size_bytes)[1].tolist()} bytes"
    if operation.name == "alltoallv":
        return operation.name
    return f"{operation.name} with root {operation.groups[0, 0]}"


def joined(together: Sequence[tuple[Place, Collective]]) -> Collective:
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
