"""MSCCL schedules on cables of different rates, timed by the interpreter."""

from dataclasses import replace

import numpy as np

from isoplane.models import Design, Network, Timing
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters.msccl import EXPORTER
from tests.cases import for_each

from .interpreter import read, require_result, timed


def ring_with_a_slow_cable(switches, slow_mbps):
    """A ring with a node at each switch, whose cable from the last switch to the first has another rate."""
    (plane,) = Network(Torus(shape=(switches,))).planes
    ends = np.sort(
        np.stack([np.broadcast_to(np.arange(switches)[:, None], (switches, 2)), plane.topology.peer]), axis=0
    )
    slow = (ends[0] == 0) & (ends[1] == switches - 1)
    rates = np.where(slow, slow_mbps, 100_000)
    return Network(PlanesFamily("ring", (replace(plane, timing=Timing(rate_mbps=rates)),)))


def ns_of_a_chunk(network, source, destination):
    """The time of 100 kB over the slowest link of the route."""
    (plane_links,) = network.plane_links
    _, links = network.links(np.array([source]), np.array([destination]), 0)
    return 800_000 / (plane_links.rates_mbps[links].min() / 1000)


@for_each("slow_mbps", [100_000, 25_000, 10_000])
@for_each(("collective", "order"), [("all_gather", "ring"), ("all_to_all", "shift")])
def test_cables_of_different_rates_change_the_time_and_nothing_else(collective, order, slow_mbps):
    """On a ring, N - 1 chunks pass the slow cable one after the other, the last of them at most N - 1 more links."""
    network = ring_with_a_slow_cable(8, slow_mbps)
    options = {"collective": collective, "order": order}
    ((_, content),) = EXPORTER.files(Exported(Design(network), {}, options))
    program = read(b"".join(content).decode())
    outputs, end_ns = timed(program, lambda source, other, chunks: chunks * ns_of_a_chunk(network, source, other))
    require_result(program, outputs)
    fast, slow = 8000, 800_000 / (slow_mbps / 1000)
    if collective == "all_gather":
        assert 7 * slow <= end_ns <= 7 * slow + 7 * fast
    else:
        assert slow <= end_ns <= 7 * slow  # a message of each of seven phases
