"""Cables of a fabric at a lower rate than the design states, or than most cables of their kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import node_ports
from isoplane.runs.imports.discovery.link_rate import LinkRate, usual_rates

from .devices import CabledDevices
from .differences import Cable

Basis = Literal["design", "most", "by_design"]


@dataclass(frozen=True)
class SlowCable:
    """A cable at a low rate.

    Parameters
    ----------
    cable
        Its ends.
    rate
        Its rate in the files.
    expected
        That of the design, or else of most cables of its kind.
    basis
        Whether the expected rate is that of the ``design``, or that of ``most`` cables where the design states none; or
        that of most cables, while the rate is as low ``by_design``.
    """

    cable: Cable
    rate: LinkRate
    expected: str
    basis: Basis

    @property
    def text(self) -> str:
        """The rate beside the expected one."""
        if self.basis == "design":
            return f"{self.rate}, {self.expected} in the design"
        return f"{self.rate} among {self.expected}{', as in the design' if self.basis == 'by_design' else ''}"


def slow_cables(network: Network, devices: CabledDevices, rates: Mapping[Cable, LinkRate]) -> tuple[SlowCable, ...]:
    """Return the cables of a fabric that have a lower rate than they should.

    A cable of a design that states its rate should have this rate. Other cables, between switches or of nodes, should
    have the rate of most of them in the same plane.

    Parameters
    ----------
    network
        The design.
    devices
        Its devices with its cables, and those of the fabric that are not in the design.
    rates
        The rate of each cable of the fabric, as far as the files state them.
    """
    designed = _designed_mbps(network, devices)
    kinds = {cable: _kind(devices, cable) for cable in rates}
    usual = usual_rates((kinds[cable], rate.gbps) for cable, rate in rates.items())
    names = {rate.gbps: f"{rate}" for rate in rates.values()}
    slow = []
    for cable, rate in sorted(rates.items()):
        mbps = int(designed[list(cable)].max()) if devices.mate[cable[0]] == cable[1] else 0
        stated, most = Fraction(mbps, 1000), usual[kinds[cable]]
        if rate.gbps < stated:
            slow.append(SlowCable(cable, rate, names.get(stated, f"{float(stated):g} Gbit/s"), "design"))
        elif rate.gbps < most:
            slow.append(SlowCable(cable, rate, names[most], "by_design" if mbps else "most"))
    return tuple(slow)


def _kind(devices: CabledDevices, cable: Cable) -> tuple[bool, int]:
    """Return whether both ends of a cable are at switches, and the plane of a switch."""
    ends = [end // devices.width for end in cable]
    return bool(devices.is_switch[ends].all()), int(devices.plane[ends].max())


def _designed_mbps(network: Network, devices: CabledDevices) -> Ints:
    """Return the rate of a design at each end of a switch, in Mbit/s; 0 where it states none."""
    width, first = devices.width, 0
    mbps = np.zeros(len(devices.mate), dtype=np.int64)
    for plane in network.cabling:
        timing, topology = plane.timing, plane.topology
        if timing.rate_mbps is not None:
            switch, port = np.nonzero(topology.peer >= 0)
            mbps[(first + switch) * width + port + 1] = timing.rate_mbps[switch, port]
        if timing.node_rate_mbps is not None:
            mbps[(first + plane.node_switch) * width + node_ports(plane)] = timing.node_rate_mbps
        first += topology.switches
    return mbps
