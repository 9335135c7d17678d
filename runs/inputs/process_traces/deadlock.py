"""Deadlocks: processes that wait for each other forever."""

from collections import defaultdict

import numpy as np

from isoplane.models.workloads.programs import SEND, WAIT, Operations


def blocked_operation(operations: Operations) -> int:
    """Return an operation in a cycle of processes that wait for each other's messages; -1 if all processes end.

    Parameters
    ----------
    operations
        Operations of processes, each of which executes its own in their order.

    Examples
    --------
    >>> from isoplane.models.workloads.programs.operations import exchange
    >>> crossed = exchange([0, 1], [1, 0], 8)
    >>> blocked_operation(crossed)
    -1
    """
    rows: dict[int, list[int]] = defaultdict(list)
    for row, process in enumerate(operations.process.tolist()):
        rows[process].append(row)
    sent = np.zeros(operations.messages, dtype=bool)
    position, ready = dict.fromkeys(rows, 0), list(rows)
    awaited_by: dict[int, list[int]] = defaultdict(list)
    while ready:
        process = ready.pop()
        for row in rows[process][position[process] :]:
            message = int(operations.value[row])
            if operations.kind[row] == SEND:
                sent[message] = True
                # Whoever waits is looked at again only when its message is sent, so that the time is linear.
                ready += awaited_by.pop(message, [])
            elif operations.kind[row] == WAIT and not sent[message]:
                awaited_by[message].append(process)
                break
            position[process] += 1
    blocked = {process: rows[process][done] for process, done in position.items() if done < len(rows[process])}
    if not blocked:
        return -1
    # Each blocked process waits for another blocked one, so that following them ends in a cycle.
    process, seen = min(blocked), set[int]()
    while process not in seen:
        seen.add(process)
        process = int(operations.source[operations.value[blocked[process]]])
    return blocked[process]
