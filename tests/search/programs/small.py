"""Traffic of networks small enough for brute force."""

import numpy as np
from hypothesis import strategies as st

from isoplane.models import MessageList
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import from_matrix

SHAPES = ((2, 3, 16), (3, 2, 64), (2, 4, 2), (4, 2, 8))  # groups, nodes per group, rate of uplinks


def a_minute() -> float:
    """Return a time limit that no bound of these reaches."""
    return 60.0


@st.composite
def small_traffic(draw, longest: int) -> tuple[Hybrid, MessageList]:
    """A network, and messages of up to `longest` kilobytes."""
    groups, size, up = draw(st.sampled_from(SHAPES))
    nodes = groups * size
    entries = draw(st.lists(st.integers(0, longest), min_size=nodes**2, max_size=nodes**2))
    matrix = np.array(entries).reshape(nodes, nodes)
    matrix[0, 1] += 1  # so that there is traffic
    return Hybrid(groups, size, up_gbps=up), from_matrix(matrix * 1000).message_list()
