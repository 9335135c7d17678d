"""Conversion of a program to its network, a family with its parameters as in a config, and to its hardware."""

from fractions import Fraction
from typing import Any

from isoplane.models import Cube, Network, Site, SwitchModel, family_named
from isoplane.simulator.hardware import MAX_CHANNELS, Hardware
from isoplane.simulator.hardware import FlowControl as HardwareFlowControl

from .problems import StatementError
from .program import FlowControl, Program, Routing
from .topology import Rdt, StatedTopology, Torus

ROUTINGS: dict[Routing, str] = {
    "DimensionOrder": "dimension_order",
    "VectorRouting": "vector",
    "ShortestPath": "shortest",
    "UpDown": "up_down",
}


def network_of_program(program: Program) -> Network:
    """Return the direct network of a program: one plane, a node in each switch, and the stated switch delays.

    It equals the network of a config with the same `network_keys`, on a site with the same switch model. Layout and
    prices, which a program cannot state, are the defaults.

    Raises
    ------
    StatementError
        If channel classes by hops or turns need more virtual channels than the program has.

    Examples
    --------
    >>> from .text.parse import read_program
    >>> from importlib.resources import files
    >>> network = network_of_program(read_program(files("isoplane.conf") / "programs" / "hypercube-12.ndl"))
    >>> network.title, network.nodes, network.planes[0].topology.ports
    ('direct_hypercube n=12', 4096, 12)
    """
    keys = network_keys(program)
    network = Network(family_named(keys.pop("family")).read(keys), Site(switch=hardware_of(program).switch))
    if program.hop_classes or program.date_lines:
        _require_channels(program, network)
    return network


def network_keys(program: Program) -> dict[str, Any]:
    """Return the ``network`` section of the equivalent config.

    Only the links of a graph have lengths; all others are 0 m long.

    Examples
    --------
    >>> from .text.parse import read_program
    >>> from importlib.resources import files
    >>> network_keys(read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl"))
    {'family': 'torus', 'shape': [64, 64], 'datelines': False, 'routing': 'dimension_order', 'assumed_cable_m': 0.0}
    """
    routing = "hop_classes" if program.hop_classes else ROUTINGS[program.routing]
    if program.date_lines and routing == "vector":
        routing = "turn_classes"
    return {**_topology_keys(program.topology, program.date_lines), "routing": routing, "assumed_cable_m": 0.0}


def _topology_keys(topology: StatedTopology, date_lines: bool) -> dict[str, Any]:
    if isinstance(topology, Torus):
        keys = {"family": topology.name.lower(), "shape": list(topology.shape)}
        return {**keys, "datelines": date_lines} if topology.wraps else keys
    if isinstance(topology, Rdt):
        return {"family": "rdt", "side": topology.shape[0], "tile": " ".join(topology.tile)}
    if isinstance(topology, Cube):
        generators = list(topology.connections.generators)
        return {"family": "direct_hypercube", "n": topology.n, "folded": topology.folded, "generators": generators}
    edges = [[a, b, mm / 1000] if mm else [a, b] for a, b, mm in topology.links]
    return {"family": "graph", "edges": edges}


def _require_channels(program: Program, network: Network) -> None:
    """Raise unless links have as many virtual channels as the routes have classes."""
    (plane,) = network.planes
    needed = 1 if plane.routes.channels is None else plane.routes.channels.classes
    if program.hop_classes and needed > MAX_CHANNELS:
        allowed = (
            f"No, because routes of {needed} hops need {needed} virtual channels, but at most {MAX_CHANNELS} exist"
        )
        raise StatementError("HopClasses", "Yes", allowed)
    if program.virtual_channels < needed:
        statement, reason = "DateLines", f"packets change channels up to {needed - 1} times"
        if program.hop_classes:
            statement, reason = "HopClasses", f"the longest route has {needed} hops"
        allowed = f"at least {needed} with {statement}, because {reason}"
        raise StatementError("VirtualChannels", f"{program.virtual_channels}", allowed)


FLOWS: dict[FlowControl, HardwareFlowControl] = {
    "StoreAndForward": "store_and_forward",
    "Wormhole": "wormhole",
    "VirtualCutThrough": "virtual_cut_through",
}


def clock_ns(program: Program) -> Fraction:
    """Return the clock period in ns."""
    return 10**9 / program.frequency_hz


def hardware_of(program: Program) -> Hardware:
    """Return the hardware of a program; its tick is a clock of the network.

    A head received in clock t leaves in clock t + 1 + h, where h is the hardware delay; with store-and-forward, so does
    a packet whose last flit is received in clock t. Receiving a flit takes a clock. In a worm only the head is delayed:
    the body flits follow through the switch that it has set, one per clock. So H hops of a packet of P flits take
    H·(P + h) clocks with store-and-forward, and H·(1 + h) + P - 1 otherwise. Deadlock is checked for once per packet
    time.

    Examples
    --------
    >>> from importlib.resources import files
    >>> from .text.parse import read_program
    >>> hardware = hardware_of(read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl"))
    >>> hardware.tick_ns, hardware.switch_ticks, hardware.packet_flits, hardware.buffer
    (Fraction(20, 1), 4, 8, 8)
    """
    clock, delay = clock_ns(program), program.hardware_delay_clocks
    store_and_forward = program.flow_control == "StoreAndForward"  # `Hardware` itself adds the last flit
    return Hardware(
        name="program",
        flow_control=FLOWS[program.flow_control],
        virtual_channels=program.virtual_channels,
        link_gbps=program.channel_bits / clock,
        flit_bits=program.channel_bits,
        packet_bits=program.packet_bits,
        header_bits=program.packet_bits - program.data_bits,
        speedup=1,
        buffer_flits=program.buffer_flits,
        output_flits=1,
        deadlock="drop" if program.deadlock_recovery == "Drop" else "report",
        deadlock_check_flits=program.packet_flits,
        switch=SwitchModel(
            name="program",
            delay_ns=(delay if store_and_forward else delay + 1) * clock,
            cable_delay_ns_per_m=program.cable_delay.in_seconds(program.frequency_hz) * 10**9,
            endpoint_delay_ns=0,
        ),
        routing_ns=delay * clock if program.flow_control == "Wormhole" else 0,
    )
