"""Rates and delays of the cables of a design."""

from typing import TYPE_CHECKING

import numpy as np

from isoplane.models.arrays import Floats, Ints
from isoplane.models.planes.plane import Cabling

if TYPE_CHECKING:
    from .exporter import Exported


def link_times(exported: "Exported") -> tuple[Floats, Floats, Floats]:
    """Return rates and delays of all cables of a design, as a plane states them, or else of the switch model.

    Returns
    -------
    float64[cables]
        The rates in Gbit/s, in the order of `Exported.cables`.
    float64[cables]
        The delays of the cables alone in ns.
    float64[cables]
        The same and half the delay of the switch at each end, so that their sum over a path between two nodes is the
        time of the first bit on it.
    """
    cables, switch_model = exported.cables, exported.network.site.switch
    rate = np.full(len(cables), float(switch_model.link_gbps))
    cable = cables.length_mm * float(switch_model.cable_delay_ns_per_m) / 1000
    ends = np.zeros(len(cables))
    for number, plane in enumerate(exported.wired.cabling):
        switch_ns = np.full(plane.topology.switches, float(switch_model.hit_delay_ns))
        if plane.timing.switch_delay_ps is not None:
            switch_ns = plane.timing.switch_delay_ps / 1000
        inner = np.flatnonzero((cables.plane == number) & ~cables.to_node)
        outer = np.flatnonzero((cables.plane == number) & cables.to_node)
        _replace_stated(exported, plane, inner, outer, rate, cable)
        ends[outer] = switch_ns[cables.switch[outer]] / 2
        ends[inner] = (switch_ns[cables.switch[inner]] + switch_ns[cables.other[inner]]) / 2
    return rate, cable, cable + ends


def _replace_stated(
    exported: "Exported", plane: Cabling, inner: Ints, outer: Ints, rate: Floats, cable: Floats
) -> None:
    """Write the rates and delays that a plane states in place of the others."""
    timing, cables = plane.timing, exported.cables
    at = cables.switch[inner], cables.switch_port[inner] - 1
    if timing.rate_mbps is not None:
        rate[inner] = timing.rate_mbps[at] / 1000
    if timing.delay_ps is not None:
        cable[inner] = timing.delay_ps[at] / 1000
    if timing.node_rate_mbps is not None:  # the cables of nodes are in the order of their links
        rate[outer] = timing.node_rate_mbps / 1000
    if timing.node_delay_ps is not None:
        cable[outer] = timing.node_delay_ps / 1000
