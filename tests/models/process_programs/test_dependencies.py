"""Messages that follow from programs are sent when an interpreter of the programs sends them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.workloads.programs import Kind, Operations, Program, message_list_of
from isoplane.models.workloads.programs.operations import computing, exchange, joined

from .interpreter import earliest, interpreted


@st.composite
def programs(draw):
    """Draw operations in which no process waits forever: messages are sent before they are awaited, in one order."""
    processes = draw(st.integers(2, 5))
    source, destination, operations, pending = [], [], [], []
    for _ in range(draw(st.integers(1, 25))):
        choice = draw(st.integers(0, 4))
        if choice == 0:
            operations.append((draw(st.integers(0, processes - 1)), Kind.COMPUTE, draw(st.integers(0, 9))))
        elif choice < 3 or not pending:
            message = len(source)
            source.append(draw(st.integers(0, processes - 1)))
            destination.append(draw(st.integers(0, processes - 1)))
            operations.append((source[-1], Kind.SEND, message))
            pending += [(source[-1], Kind.WAIT, message)] * draw(st.booleans())
            pending += [(destination[-1], Kind.WAIT, message)] * (destination[-1] != source[-1])
        else:
            operations.append(pending.pop(draw(st.integers(0, len(pending) - 1))))
    if not source:
        source, destination, operations = [0], [1], [*operations, (0, Kind.SEND, 0)]
    columns = [np.array(column, dtype=np.int64) for column in zip(*operations, strict=True)]
    ends = (np.array(source), np.array(destination), 1 + np.arange(len(source)))
    latency = [draw(st.integers(0, 20)) if a != b else 0 for a, b in zip(source, destination, strict=True)]
    return processes, Operations(*ends, *columns), latency


@settings(max_examples=300, deadline=None)
@given(programs(), st.integers(0, 10))
def test_messages_are_sent_when_an_interpreter_sends_them(program, eager_bytes):
    processes, operations, latency = program
    sent, _, end = interpreted(processes, operations, latency, eager_bytes)
    messages = message_list_of(processes, operations, eager_bytes)
    created, last = earliest(messages, latency)
    assert created == sent
    waited_at_end = interpreted(processes, operations, latency, eager_bytes)[2]
    assert last == end == waited_at_end


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


def test_processes_that_wait_for_each_other_forever_are_rejected():
    kinds = [Kind.WAIT, Kind.SEND, Kind.WAIT, Kind.SEND]
    columns = ([0, 1], [1, 0], [8, 8], [0, 0, 1, 1], kinds, [1, 0, 0, 1])
    with pytest.raises(InputError, match="expected no cycle"):
        message_list_of(2, Operations(*map(np.array, columns)))


def test_too_many_messages_are_rejected_before_they_are_built():
    program = Program(2)
    with program.repeated(1 << 26):
        program.exchange([0], [1], 8)
    assert program.counts().messages.tolist() == [1 << 26]
    with pytest.raises(InputError, match="67108864 messages; expected at most 33554432"):
        program.message_list()


def test_computing_that_exceeds_64_bits_is_rejected():
    parts = [computing(2, 10**18)] * 19  # 1.9 · 10^19 modulo 2^64 would be a valid delay
    with pytest.raises(InputError, match=r"a process computes for 1.9e\+07 s; expected at most 4611686"):
        message_list_of(2, joined([*parts, exchange([0], [1], 8)]))
