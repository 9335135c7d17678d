"""Programs: their counts agree with the messages that they lead to."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.workloads.programs import MessageCounts, Program


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


@settings(max_examples=100, deadline=None)
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
