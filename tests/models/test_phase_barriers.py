"""Messages between barriers: what precedes what."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.workloads.phase_barriers import between_barriers


def ancestors(messages):
    """Return the set of all messages before each one, directly or not."""
    found = []
    for message in range(messages.messages):
        start, end = messages.dependency_start[message : message + 2]
        direct = messages.dependency[start:end].tolist()
        found.append(set(direct).union(*(found[each] for each in direct)))
    return found


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(1, 3)), min_size=1, max_size=15))
def test_a_message_follows_exactly_the_messages_of_earlier_phases(rows):
    phase, source, step = np.array(sorted(rows)).T
    messages = between_barriers(4, 10 * phase, source, (source + step) % 4, 100 + phase)
    assert messages.sent_bytes == (100 + phase).sum()
    assert messages.local.sum() == len(set(phase.tolist())) - 1
    assert (messages.source[~messages.local] == source).all()
    sent, before = np.flatnonzero(~messages.local), ancestors(messages)
    for number, message in enumerate(sent.tolist()):
        expected = {int(each) for each, earlier in zip(sent, phase, strict=True) if earlier < phase[number]}
        assert {each for each in before[message] if not messages.local[each]} == expected
    assert len(messages.dependency) <= 2 * len(rows)


def test_barriers_of_a_million_messages_have_two_million_dependencies_at_most():
    phase = np.repeat(np.arange(4), 250_000)
    source = np.tile(np.arange(250_000), 4)
    messages = between_barriers(250_000, phase, source, (source + 1) % 250_000, np.ones(10**6, dtype=np.int64))
    assert len(messages.dependency) == 3 * 2 * 250_000
