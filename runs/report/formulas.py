"""The formulas of the metrics and their sources."""

from dataclasses import dataclass

from isoplane.models import Hybrid, HybridFamily, Network
from isoplane.models.families.hybrid import tree_of
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.family_kinds.optical import optical_of

from .report_data import ReportData

SOURCE = "Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021"
FAIRNESS = "Bertsekas and Gallager, Data Networks, 2nd edition, section 6.5.2"
TAKIZAWA = "Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect"


@dataclass(frozen=True)
class Formula:
    """A quantity, its formula, and the section of the paper that defines it, if any."""

    name: str
    text: str
    source: str = ""


def formulas(data: ReportData) -> list[Formula]:
    """Return the formulas of the numbers on a page, with the constants of the network."""
    network = data.network
    if network.family.has_circuits():
        return of_circuits(optical_of(network))
    if data.design.exact is not None:
        return [*_cube_formulas(network), *([] if network.site.layout is None else _cube_cable_formulas(network))]
    return [*_link_formulas(), *([] if network.site.layout is None else _cable_formulas(network))]


def sources(data: ReportData) -> str:
    """Return the sources listed below the formulas."""
    if data.network.family.has_circuits():
        return "Rates are in Gbit/s, and 1 Gbit/s is one bit per nanosecond."
    return f"Sections and tables of {SOURCE}." if data.design.exact is not None else ""


def _cube_formulas(network: Network) -> list[Formula]:
    cubes = cubes_of(network)
    distance = "min(wt(r), n + 1 − wt(r))" if cubes.folded else "wt(r)"
    tie = "; with wt(r) = (n + 1)/2 the direct route" if cubes.folded else ""
    return [
        Formula(
            "Distance in a plane",
            f"{distance}, r(x) being the coordinates of the offset x = source ⊕ destination in the plane's generators",
            "sections 2.1 and 2.2, Table 1",
        ),
        Formula(
            "ASPL",
            "mean over all 2ⁿ offsets, 0 included, of the distance in the nearest plane",
            "section 2.3",
        ),
        Formula(
            "Load of a generator",
            "every offset sends 2 packets, both through the nearest plane, or one through each on a tie; the load is "
            f"the number of packets whose route takes the generator{tie}",
            "sections 2.2 and 2.3",
        ),
        Formula(
            "All-to-all maximum traffic",
            f"2 · 2ⁿ / (largest load), one node per switch; divided by {cubes.nodes_per_switch} for real nodes",
            "sections 2.3 and 3.2.2",
        ),
    ]


def _cube_cable_formulas(network: Network) -> list[Formula]:
    cubes = cubes_of(network)
    layout, switch, prices = network.site.layout, network.site.switch, network.site.prices
    ports = cubes.node_ports
    assert layout is not None
    alpha = f"{switch.endpoint_delay_ns:g} ns"
    per_port = f"US$ {float(prices.switch_port_usd):g} per switch port"
    switches = f"{per_port} in use"
    if prices.switch_ports is not None:
        switches = prices.rule if prices.switches_usd else f"{per_port}, in use or not, of {prices.switch_ports}"
    elif prices.switches_usd:
        switches = f"the cheapest switches with at least {cubes.ports} ports"
    return [
        Formula(
            "Cable length",
            f"Manhattan distance between the racks + {layout.slack_m:g} m, {layout.rack_cable_m:g} m inside a rack, "
            "rounded up to the next catalogue length; the mean is over switches, generators and planes",
            "section 3.1.2, Table 2",
        ),
        Formula(
            "Mean delay over the real routes",
            f"Σ over generators of load · ({switch.delay_ns:g} ns + {switch.cable_delay_ns_per_m:g} ns/m · its mean "
            f"cable length) / (2 · 2ⁿ) + {alpha}",
            "section 3.2.1, with each generator weighted by its load",
        ),
        Formula(
            "Mean delay by the published formula",
            f"({switch.cable_delay_ns_per_m:g} ns/m · mean cable length + {switch.delay_ns:g} ns) · ASPL + {alpha}",
            "section 3.2.1",
        ),
        Formula(
            "Cost per node",
            f"{ports}-port network interface + {switches} + {ports} node cables of {layout.node_cable_m:g} m + switch "
            "cables, each counted once",
            "section 3.3.1, Table 3",
        ),
    ]


def _link_formulas() -> list[Formula]:
    """Return the formulas of any network of switches."""
    return [
        Formula("ASPL", "mean over all ordered pairs of nodes, including each node with itself, of the distance"),
        Formula("Distance", "hops of the shortest path between their switches, in the plane where it is shortest"),
        Formula(
            "Load of a link",
            "every node sends a packet to every node along its route, in the plane where that is shortest, divided "
            "evenly among equally near planes; links of nodes are not counted",
        ),
        Formula("All-to-all throughput per node", "nodes / largest load: what each can send before a link is full"),
    ]


def _cable_formulas(network: Network) -> list[Formula]:
    switch = network.site.switch
    return [
        Formula(
            "Mean delay over the real routes",
            f"mean over ordered pairs of nodes of {switch.endpoint_delay_ns:g} ns + per link of the route "
            f"{float(switch.delay_ns):g} ns + {float(switch.cable_delay_ns_per_m):g} ns/m of its cable",
        ),
        Formula("Cost per node", "price of interfaces, node cables, switches and cables between switches / nodes"),
    ]


def of_circuits(hybrid: HybridFamily) -> list[Formula]:
    """Return the formulas of a workload on a packet network with circuits.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> of_circuits(Hybrid())[1].text
    'inside a group 2 · 20 + 420 = 460 ns; between groups 4 · 20 + 3 · 420 = 1340 ns; over a circuit 80 ns'
    """
    return [
        *(_tree_segments(tree_of(hybrid)) if hybrid.is_tree else _packet_segments(hybrid)),
        Formula(
            "Rates",
            "max-min fair at every moment, by progressive filling: the rates of all transfers grow equally; when a "
            "link is full, the rates of those over it are fixed, and the others keep growing",
            FAIRNESS,
        ),
        Formula(
            "Completion",
            "when the last message has arrived; with relay by messages, each segment begins when the previous one "
            "has ended; with relay by packets, a message is sent over all its segments at once",
            f"{TAKIZAWA}, section 2; {FAIRNESS}",
        ),
        Formula(
            "Busy time of a link",
            "8 · bytes in one direction / rate; the bottleneck is the longest one, and no completion is shorter",
            "the capacity of a link",
        ),
        Formula(
            "Round robin",
            "pairs of groups that communicate get a circuit in turn, each between their lowest free nodes; processes "
            "are placed by switch (SP) or by a balanced cut of their traffic (CP)",
            f"{TAKIZAWA}, section 2, steps 2 and 3",
        ),
    ]


def _tree_segments(tree: Hybrid) -> list[Formula]:
    """Return the formulas of routes and delays with a tree of edge switches as packet network."""
    link, switch = float(tree.link_ns), float(tree.switch_ns)
    inside, between = 2 * link + switch, 4 * link + 3 * switch
    return [
        Formula(
            "Route of a message",
            "between groups over circuits, by distance vectors: a segment inside a group costs "
            f"2 / {float(tree.node_gbps):g}, a circuit 1 / {float(tree.circuit_gbps):g}; over the packet network "
            "inside a group, and between groups that no circuits connect",
            f"{TAKIZAWA}, section 2, step 4",
        ),
        Formula(
            "Delay of a segment",
            f"inside a group 2 · {link:g} + {switch:g} = {inside:g} ns; between groups 4 · {link:g} + 3 · {switch:g} = "
            f"{between:g} ns; over a circuit {float(tree.circuit_ns):g} ns",
            f"{TAKIZAWA}, Fig. 1 and Table 1",
        ),
    ]


def _packet_segments(hybrid: HybridFamily) -> list[Formula]:
    """Return the formulas of routes and delays with any packet network."""
    return [
        Formula(
            "Route of a message",
            "between groups over circuits, by distance vectors: a segment inside a group costs the largest sum of "
            f"1 / rate over a way between its nodes, a circuit 1 / {float(hybrid.circuit_gbps):g}; over the packet "
            "network inside a group, and between groups that no circuits connect",
            f"{TAKIZAWA}, section 2, step 4",
        ),
        Formula(
            "Delay of a segment",
            f"over a circuit {float(hybrid.circuit_ns):g} ns; over the packet network the delays of all cables and "
            "switches on its way; a segment with several ways is divided among them by the plane policy",
        ),
    ]
