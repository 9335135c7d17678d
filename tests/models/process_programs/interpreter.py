"""An independent interpreter of operations, one process after another, and the earliest times of message lists."""

from isoplane.models.workloads.programs import COMPUTE, SEND, WAIT

RECEIVE = -1  # an operation that posts a receive, besides those of programs


def with_receives(process, rows, ends):
    """Insert the receives of a process: before the first operation that follows the arrivals before them."""
    arrives = [kind == WAIT and ends[value][1] == process != ends[value][0] for kind, value in rows]
    posted, place = {0: []}, 0
    for index, (_, value) in enumerate(rows):
        if index and arrives[index - 1] and not arrives[index]:
            place = index
        if arrives[index]:
            posted.setdefault(place, []).append((RECEIVE, value))
    return [row for index, row_here in enumerate(rows) for row in (*posted.get(index, []), row_here)]


def interpreted(processes, operations, latency_ps, eager_bytes=0, start="sender"):
    """Return when each message begins and arrives if each takes its latency; None if processes wait forever.

    With ``start="both"`` a message that its receiver awaits begins once it is sent and received.
    """
    columns = (operations.process, operations.kind, operations.value)
    waiting = [[] for _ in range(processes)]
    for process, kind, value in zip(*(column.tolist() for column in columns), strict=True):
        waiting[process].append((kind, value))
    clock, sent, posted, begun, arrived = [0] * processes, {}, {}, {}, {}
    ends = list(zip(operations.source.tolist(), operations.destination.tolist(), strict=True))
    if start == "both":
        waiting = [with_receives(process, rows, ends) for process, rows in enumerate(waiting)]
    awaited = {value for rows in waiting for kind, value in rows if kind == RECEIVE}
    progress = True
    while progress:
        progress = False
        for process, left in enumerate(waiting):
            while left:
                kind, value = left[0]
                if kind == COMPUTE:
                    clock[process] += value
                elif kind in (SEND, RECEIVE):
                    (sent if kind == SEND else posted)[value] = clock[process]
                    if value in sent and (value in posted or value not in awaited):
                        begun[value] = max(sent[value], posted.get(value, 0))
                        arrived[value] = begun[value] + latency_ps[value]
                elif ends[value][0] == process != ends[value][1] and operations.size_bytes[value] <= eager_bytes:
                    pass
                elif value in arrived:
                    clock[process] = max(clock[process], arrived[value])
                else:
                    break
                left.pop(0)
                progress = True
    if any(waiting):
        return None
    return begun, arrived, max([0, *clock, *arrived.values()])


def arrivals(messages, latency=lambda message: 0):
    """Return when each message of a list is created and when it arrives, if it takes its latency, in ps."""
    created, arrived = [], []
    for i in range(messages.messages):
        on = messages.dependency[messages.dependency_start[i] : messages.dependency_start[i + 1]].tolist()
        assert all(j < i for j in on)
        created.append(max([0, *(arrived[j] for j in on)]) + int(messages.delay_ps[i]))
        arrived.append(created[-1] + latency(i))
    return created, arrived


def earliest(messages, latency_of):
    """Return when each message is created, by number, and the last arrives; lengths stand for numbers, plus 1."""
    numbers = (messages.length_bytes - 1).tolist()
    created, arrived = arrivals(messages, lambda i: latency_of[numbers[i]] if numbers[i] >= 0 else 0)
    times = {number: moment for number, moment in zip(numbers, created, strict=True) if number >= 0}
    return times, max(arrived, default=0)
