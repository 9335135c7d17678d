"""Checks and distances of topologies, against ports looked up one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Topology


@st.composite
def cabled(draw):
    """Cables between random ports, and up to two values that are replaced by any others."""
    switches, ports = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    order = draw(st.permutations(range(switches * ports)))
    peer, peer_port = np.full((2, switches, ports), -1)
    for a, b in zip(order[: draw(st.integers(0, len(order)))][::2], order[1::2], strict=False):
        for here, there in ((a, b), (b, a)):
            peer.flat[here], peer_port.flat[here] = divmod(there, ports)
    for _ in range(draw(st.integers(0, 2)) if ports else 0):
        values = draw(st.sampled_from([peer, peer_port]))
        values.flat[draw(st.integers(0, values.size - 1))] = draw(st.integers(-3, 6) | st.just((1 << 31) - 1))
    return peer, peer_port


def is_consistent(peer, peer_port):
    for (switch, port), other in np.ndenumerate(peer):
        far = int(peer_port[switch, port])
        if other == -1:
            continue
        if not (0 <= other < len(peer) and 0 <= far < peer.shape[1]):
            return False
        if (peer[other, far], peer_port[other, far]) != (switch, port):
            return False
    return True


@given(cabled())
@settings(deadline=None, max_examples=300)
def test_topologies_are_accepted_exactly_if_both_ends_of_every_cable_refer_to_each_other(arrays):
    peer, peer_port = arrays
    if not is_consistent(peer, peer_port):
        with pytest.raises(InputError, match=r"^topology: switch \d+ port \d+ (has no valid|does not match its) other"):
            Topology(peer, peer_port)
        return
    level = {0: 0}
    for here in (order := [0]):
        for there in peer[here].tolist():
            if there >= 0 and there not in level:
                level[there] = level[here] + 1
                order.append(there)
    assert Topology(peer, peer_port).levels(0).tolist() == [level.get(switch, -1) for switch in range(len(peer))]


def test_a_switch_below_minus_1_is_named_with_its_port():
    with pytest.raises(InputError, match="switch 1 port 1 has no valid other end; expected a port of a switch"):
        Topology(np.array([[1, -1], [0, -2]]), np.array([[0, -1], [0, -1]]))
