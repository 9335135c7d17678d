"""Links of a SimGrid platform, with latencies and rates."""

from fractions import Fraction

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import interface_ports, node_ports
from isoplane.models.checks import exact_number
from isoplane.models.device_names import node_name, switch_name


def link_names(network: Network) -> list[str]:
    """Return the names of all links, in the order of `PlaneLinks`: the device that sends, and its port.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> link_names(Network(Torus(shape=(2,), node_cable_m=2.0)))
    ['P0-S0:1', 'P0-S1:1', 'N0:1', 'N1:1', 'P0-S0:3', 'P0-S1:3']
    """
    found: list[str] = []
    for index, (links, rails) in enumerate(zip(network.plane_links, interface_ports(network.cabling), strict=True)):
        plane = links.plane
        switch, port = np.nonzero(plane.topology.peer >= 0)
        found += map(_name, [switch_name(index, each) for each in switch.tolist()], (port + 1).tolist())
        if not links.is_direct:
            ports, switches = node_ports(plane).tolist(), plane.node_switch.tolist()
            found += map(_name, map(node_name, plane.node.tolist()), rails.tolist())
            found += map(_name, [switch_name(index, each) for each in switches], ports)
    return found


def _name(device: str, port: int) -> str:
    return f"{device}:{port}"


def link_elements(network: Network, names: list[str]) -> list[str]:
    """Return the elements of all links, with the rate and the latency of each."""
    return [
        f'<link id="{name}" bandwidth="{rate}" latency="{latency}"/>'
        for name, rate, latency in zip(names, _rates(network), _latencies(network), strict=True)
    ]


def _latencies(network: Network) -> list[str]:
    """Return the delay of each link with the switch that it leads to, or in a direct network that it leaves."""
    units = network.site.switch.units()
    per_ps, found = units.per_ns // 1000, []
    for links in network.plane_links:
        plane, timing = links.plane, links.plane.timing
        switch = np.full(plane.topology.switches, units.hop)
        if timing.switch_delay_ps is not None:
            switch = timing.switch_delay_ps * per_ps
        cable = plane.cable_mm * units.cable_mm if timing.delay_ps is None else timing.delay_ps * per_ps
        node = plane.node_lengths_mm * units.cable_mm
        if timing.node_delay_ps is not None:
            node = timing.node_delay_ps * per_ps
        # A port without a cable reads the last switch, and `values` leaves it out.
        crossed = switch[:, None] if links.is_direct else switch[plane.topology.peer]
        found.append(links.values(cable + crossed, node + switch[plane.node_switch], node))
    return _texts(np.concatenate(found), Fraction(1, units.per_ns), "ns")


def _rates(network: Network) -> list[str]:
    """Return the rate of each link: that of the plane, or else of the switch model."""
    default = Fraction(exact_number("switch.link_gbps", network.site.switch.link_gbps))
    rates = np.concatenate([links.rates_mbps for links in network.plane_links])
    shown = _texts(rates, Fraction(1, 1000), "Gbps")
    return [f"{float(default)!r}Gbps" if rate == 0 else text for rate, text in zip(rates, shown, strict=True)]


def _texts(values: Ints, unit: Fraction, suffix: str) -> list[str]:
    """Return values times a unit as decimal numbers."""
    unique, index = np.unique(values, return_inverse=True)
    texts = np.array([f"{float(int(value) * unit)!r}{suffix}" for value in unique], dtype=object)
    found: list[str] = texts[index.ravel()].tolist()
    return found
