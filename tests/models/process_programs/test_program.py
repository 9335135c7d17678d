"""Programs: their counts, and messages that are sent when an interpreter of the programs sends them."""

from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.workloads.programs import (
    COMPUTE,
    SEND,
    STARTS,
    WAIT,
    MessageCounts,
    Operations,
    Program,
    message_list_of,
)
from isoplane.models.workloads.programs.operations import joined
from tests.cases import require_refusal

from .interpreter import earliest, interpreted


@st.composite
def written(draw, depth=2):
    """Draw a function that writes a program of six processes."""
    kind = draw(st.sampled_from(["exchange", "collective", "loop"] if depth else ["exchange", "collective"]))
    if kind == "exchange":
        ends = [draw(st.lists(st.integers(0, 5), min_size=3, max_size=3)) for _ in range(2)]
        size, blocking = draw(st.integers(1, 3)), draw(st.booleans())
        return lambda program: program.exchange(*ends, size, blocking=blocking)
    if kind == "collective":
        name = draw(st.sampled_from(["barrier", "bcast", "reduce", "allreduce", "alltoall"]))
        groups = draw(st.sampled_from([None, np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2).T]))
        return lambda program: program.collective(name, 5, groups)
    times, body = draw(st.integers(0, 3)), draw(st.lists(written(depth - 1), max_size=3))

    def loop(program):
        with program.repeated(times):
            for part in body:
                part(program)

    return loop


@settings(max_examples=60, deadline=None)
@given(st.lists(written(), min_size=1, max_size=4))
def test_counts_are_those_of_the_operations(parts):
    program = Program(6)
    for part in parts:
        part(program)
    operations, counts = program.operations(), program.counts(collectives=True)
    columns = (operations.source, operations.destination, operations.size_bytes)
    built = Counter(zip(*(column.tolist() for column in columns), strict=True))
    rows = zip(counts.source.tolist(), counts.destination.tolist(), counts.size_bytes.tolist(), strict=True)
    assert dict(zip(rows, counts.messages.tolist(), strict=True)) == built
    matrix = np.zeros((6, 6), dtype=np.int64)
    for (source, destination, size), number in built.items():
        matrix[source, destination] += (source != destination) * size * number
    assert (counts.matrix() == matrix).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5), st.integers(1, 4)), max_size=20))
def test_equal_messages_are_counted_together_however_large_their_numbers(rows):
    for scale, length in ((1, 1), (1 << 14, 1 << 33)):  # the second ends and lengths have more than 63 bits together
        expected = Counter()
        for source, destination, size, times in rows:
            expected[source * scale, destination * scale, size * length] += times
        parts = [(np.array([[a * scale], [b * scale], [size * length]]), times) for a, b, size, times in rows]
        counts = MessageCounts.of(1 << 16, parts)
        columns = (counts.source, counts.destination, counts.size_bytes)
        found = list(zip(*(column.tolist() for column in columns), strict=True))
        assert found == sorted(expected)
        assert dict(zip(found, counts.messages.tolist(), strict=True)) == expected


@st.composite
def programs(draw):
    """Draw operations in which no process waits forever: messages are sent before they are awaited, in one order."""
    processes = draw(st.integers(2, 5))
    source, destination, operations, pending = [], [], [], []
    for _ in range(draw(st.integers(1, 25))):
        choice = draw(st.integers(0, 4))
        if choice == 0:
            operations.append((draw(st.integers(0, processes - 1)), COMPUTE, draw(st.integers(0, 9))))
        elif choice < 3 or not pending:
            message = len(source)
            source.append(draw(st.integers(0, processes - 1)))
            destination.append(draw(st.integers(0, processes - 1)))
            operations.append((source[-1], SEND, message))
            pending += [(source[-1], WAIT, message)] * draw(st.booleans())
            pending += [(destination[-1], WAIT, message)] * (destination[-1] != source[-1])
        else:
            operations.append(pending.pop(draw(st.integers(0, len(pending) - 1))))
    if not source:
        source, destination, operations = [0], [1], [*operations, (0, SEND, 0)]
    columns = [np.array(column, dtype=np.int64) for column in zip(*operations, strict=True)]
    ends = (np.array(source), np.array(destination), 1 + np.arange(len(source)))
    latency = [draw(st.integers(0, 20)) if a != b else 0 for a, b in zip(source, destination, strict=True)]
    return processes, Operations(*ends, *columns), latency


@settings(max_examples=200, deadline=None)
@given(programs(), st.integers(0, 10), st.sampled_from(STARTS))
def test_messages_begin_when_an_interpreter_begins_them(program, eager_bytes, start):
    processes, operations, latency = program
    expected = interpreted(processes, operations, latency, eager_bytes, start)
    if expected is None:  # with receives, two processes may each await the other's message
        require_refusal(lambda: message_list_of(processes, operations, eager_bytes, start), "expected no cycle")
        return
    begun, _, end = expected
    created, last = earliest(message_list_of(processes, operations, eager_bytes, start), latency)
    assert created == begun
    assert last == end


@settings(max_examples=60, deadline=None)
@given(programs(), st.randoms(use_true_random=False))
def test_the_order_among_processes_does_not_matter(program, random):
    processes, operations, latency = program
    order = sorted(range(len(operations.kind)), key=lambda i: (operations.process[i] * 7919 % 5, i))
    shuffled = replace(operations, **{c: getattr(operations, c)[order] for c in ("process", "kind", "value")})
    once, again = (earliest(message_list_of(processes, o), latency) for o in (operations, shuffled))
    assert once == again


@settings(max_examples=60, deadline=None)
@given(programs(), st.integers(1, 4))
def test_a_loop_is_its_body_several_times(program, times):
    _, operations, _ = program
    repeated, written = operations.repeated(times), joined([operations] * times)
    for column in ("source", "destination", "size_bytes", "process", "kind", "value"):
        assert (getattr(repeated, column) == getattr(written, column)).all()


def test_dependencies_stay_few_in_a_chain_of_exchanges():
    program = Program(8)
    with program.repeated(50):
        for bit in (1, 2, 4):
            program.exchange(range(8), np.arange(8) ^ bit, 8, blocking=True)
    messages = program.message_list()
    assert messages.messages == 8 * 150
    assert np.diff(messages.dependency_start).max() == 2
    buffered = program.message_list(eager_bytes=8)
    assert np.diff(buffered.dependency_start).max() == 2
    assert int((buffered.source != buffered.destination).sum()) == 8 * 150
