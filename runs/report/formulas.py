"""The formulas behind the numbers, and where they come from."""

from dataclasses import dataclass

from isoplane.models import Network

SOURCE = "Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021"


@dataclass(frozen=True)
class Formula:
    """A quantity, how it is computed, and the section of the paper that defines it."""

    name: str
    text: str
    source: str


def formulas(network: Network) -> list[Formula]:
    """Return the formulas used for a network, with its own constants; those of cables only if it has a layout."""
    distance = "min(wt(r), n + 1 − wt(r))" if network.cubes.folded else "wt(r)"
    tie = "; with wt(r) = (n + 1)/2 the direct route" if network.cubes.folded else ""
    found = [
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
            "every offset sends 2 packets, both through the nearest plane or one through each on a tie; packets whose "
            f"route takes the generator are counted{tie}",
            "sections 2.2 and 2.3",
        ),
        Formula(
            "All-to-all maximum traffic",
            "2 · 2ⁿ / (largest load), one node at each switch; divided by "
            f"{network.cubes.nodes_per_switch} for real nodes",
            "sections 2.3 and 3.2.2",
        ),
    ]
    return found if network.site.layout is None else found + _formulas_of_cables(network)


def _formulas_of_cables(network: Network) -> list[Formula]:
    layout, switch, prices = network.site.layout, network.site.switch, network.site.prices
    ports = network.cubes.node_ports
    assert layout is not None
    alpha = f"{switch.endpoint_delay_ns:g} ns"
    return [
        Formula(
            "Cable length",
            f"Manhattan distance of the racks + {layout.slack_m:g} m, {layout.rack_cable_m:g} m inside a rack, rounded "
            "up to the next catalogue length; the mean is over switches, generators and planes",
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
            f"{ports}-port network interface + US$ {prices.switch_port_usd:g} for each port that a switch "
            f"uses + {ports} node cables of {layout.node_cable_m:g} m + switch cables, each counted once",
            "section 3.3.1, Table 3",
        ),
    ]
