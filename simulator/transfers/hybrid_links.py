"""Links of packet networks of any family with circuits, for the simulation of transfers."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.checks import exact_number
from isoplane.models.planes.links import PlaneLinks

Exact = NDArray[np.object_]  # of fractions
LinkKind = Literal["out", "in", "up", "down", "cable", "circuit"]


@dataclass(frozen=True)
class HybridLink:
    """A link of a hybrid network, in one direction.

    Attributes
    ----------
    kind
        ``out`` from a node to its edge switch, ``in`` back; ``up`` (uplink) from an edge switch to the core switch,
        ``down`` back; ``cable`` between two switches of another packet network; ``circuit`` from node to node.
    source, destination
        A node; the group of an edge switch, None for the core switch; in other packet networks a switch of its plane.
    gbps
        Rate.
    wire_ns
        Delay of the link without the switch at its end.
    delay_ns
        `wire_ns` plus the delay of the switch at the far end; in other packet networks, of that at the near end.
    """

    kind: LinkKind
    source: int | None
    destination: int | None
    gbps: Fraction
    wire_ns: Fraction
    delay_ns: Fraction


def packet_links(network: Network) -> list[HybridLink]:
    """Return the links of all planes, in the order of `PlaneLinks`; a switch delays packets before it sends them.

    Examples
    --------
    >>> from isoplane.models import OpticalOverlay
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(OpticalOverlay(packet=Torus(shape=(3,), node_cable_m=2.0)))
    >>> [(link.kind, link.source, link.destination, int(link.delay_ns)) for link in packet_links(ring)[5:8]]
    [('cable', 2, 1, 95), ('out', 0, 0, 10), ('out', 1, 1, 10)]
    """
    return [link for links in network.plane_links for link in _plane_links(network, links)]


def _plane_links(network: Network, links: PlaneLinks) -> list[HybridLink]:
    plane, timing, model = links.plane, links.plane.timing, network.site.switch
    default_gbps = exact_number("switch.link_gbps", model.link_gbps)
    per_mm = exact_number("switch.cable_delay_ns_per_m", model.cable_delay_ns_per_m) / 1000
    switch_ns = _ns(timing.switch_delay_ps, np.ones(plane.topology.switches, int), model.hit_delay_ns)
    cable_ns = _ns(timing.delay_ps, plane.cable_mm, per_mm)
    node_ns = _ns(timing.node_delay_ps, plane.node_lengths_mm, per_mm)
    switch, _ = np.nonzero(plane.topology.peer >= 0)
    far_end = plane.topology.peer[plane.topology.peer >= 0]
    kinds = ["cable"] * len(switch)
    ends = list(zip(switch.tolist(), far_end.tolist(), strict=True))
    if not links.is_direct:
        attached = list(zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True))
        kinds += ["out"] * len(attached) + ["in"] * len(attached)
        ends += [*attached, *(end[::-1] for end in attached)]
    wire = links.values(cable_ns, node_ns, node_ns)
    delay = links.values(cable_ns + switch_ns[:, None], node_ns, node_ns + switch_ns[plane.node_switch])
    rates = [Fraction(mbps, 1000) if mbps else default_gbps for mbps in links.rates_mbps.tolist()]
    return [
        HybridLink(kind, *end, gbps, wire_ns, delay_ns)  # type: ignore[arg-type]  # one of the kinds above
        for kind, end, gbps, wire_ns, delay_ns in zip(kinds, ends, rates, wire.tolist(), delay.tolist(), strict=True)
    ]


def _ns(stated_ps: NDArray[np.int64] | None, units: NDArray[np.integer], per_unit: Fraction) -> "Exact":
    """Return stated delays, or else so many units of a default one, as exact fractions of ns."""
    values, factor = (units, per_unit) if stated_ps is None else (stated_ps, Fraction(1, 1000))
    found: Exact = values.astype(object) * factor
    return found
