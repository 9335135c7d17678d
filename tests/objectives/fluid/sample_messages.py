"""Small lists of messages with delays, local messages and any dependencies."""

import numpy as np
from hypothesis import strategies as st

from isoplane.models import MessageList

DELAYS_PS = (0, 0, 1, 488, 489, 10**6, 10**9)  # 1 / 2048 ns, half a tick, is between 488 and 489 ps


@st.composite
def message_lists(draw, nodes, max_messages=12):
    """Draw messages, each after up to three earlier ones."""
    rows, after = [], []
    for number in range(draw(st.integers(1, max_messages))):
        source, destination = (draw(st.integers(0, nodes - 1)) for _ in range(2))
        length = draw(st.integers(0 if source == destination else 1, 10**6))
        rows.append((source, destination, length, draw(st.sampled_from(DELAYS_PS))))
        after.append(draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)) if number else [])
    starts = np.cumsum([0, *map(len, after)])
    flat = [message for messages in after for message in messages]
    return MessageList(nodes, *np.array(rows).T, starts, np.array(flat, dtype=np.int32))
