"""Random traffic in networks small enough for brute force."""

import numpy as np
from hypothesis import strategies as st

from isoplane.models import MessageList
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import from_matrix

SHAPES = ((2, 3, 16), (3, 2, 64), (2, 4, 2), (4, 2, 8))  # groups, nodes per group, rate of uplinks in Gbit/s


def a_minute() -> float:
    """Return the seconds left: more than any bound of these networks takes."""
    return 60.0


@st.composite
def small_traffic(draw, max_kilobytes: int) -> tuple[Hybrid, MessageList]:
    """A network, and messages of up to `max_kilobytes` kilobytes."""
    groups, size, up_gbps = draw(st.sampled_from(SHAPES))
    nodes = groups * size
    entries = draw(st.lists(st.integers(0, max_kilobytes), min_size=nodes**2, max_size=nodes**2))
    matrix = np.array(entries).reshape(nodes, nodes)
    matrix[0, 1] += 1  # so that there is traffic
    return Hybrid(groups, size, up_gbps=up_gbps), from_matrix(matrix * 1000).message_list()
