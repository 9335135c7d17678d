"""Conversion of a network to a program, the reverse of `network_of_program`."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from isoplane.models import ConnectionSet, Cube, InputError, Network, Plane, SwitchModel
from isoplane.models.checks import exact_number

from .build import ROUTINGS, network_of_program
from .program import Program
from .rules import check, default_routing
from .topology import Graph, Rdt, StatedTopology, Torus
from .units import Duration

DATA_BITS = 2048
VIRTUAL_CHANNELS = 4
PACKETS_OF_BUFFER = 8
MESSAGES = 10_000
HOP_CLASSES, TURN_CLASSES = "hop_classes", "turn_classes"
LENGTH_KEYS = ("cable_m", "edges")  # compared as arrays

Keys = Mapping[str, Any]


def program_of_network(network: Network) -> Program:
    """Return a program with a direct network, its routing, and the rates and delays of its site.

    A clock cycle is the longest time of which a nanosecond and the switch delay are multiples. A program has no α, no
    layout and no prices. Messages are random, of one packet with 256 bytes, and only an example.

    Raises
    ------
    InputError
        If a program cannot state the network, its routing, its cable lengths, rates or delays.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus as TorusFamily
    >>> program = program_of_network(Network(TorusFamily(shape=(4, 4), assumed_cable_m=0.0)))
    >>> program.topology, program.date_lines, program.channel_bits, str(program.hardware_delay)
    (Torus(shape=(4, 4), wraps=True), True, 100, '89nsec')
    """
    keys = network.family.write()["network"]
    if keys["family"] not in TOPOLOGIES or network.node_cable_mm is not None:
        raise InputError(
            f"network.family={keys['family']}: expected nodes with a switch in each (network.node_cable_m=null) in one "
            f"of {', '.join(TOPOLOGIES)}"
        )
    if network.site.switch.cache is not None:
        raise InputError("switch.cache: expected null, since a program has no caches of routing tables")
    (plane,) = network.planes
    topology = TOPOLOGIES[keys["family"]](keys, plane)
    program = _program(topology, keys, plane, network.site.switch)
    # What a program cannot state would be lost silently, so it is built again and compared.
    _require_same(network_of_program(program), network)
    return program


def _program(topology: StatedTopology, keys: Keys, plane: Plane, switch: SwitchModel) -> Program:
    delay, gbps = exact_number("switch.delay_ns", switch.delay_ns), exact_number("switch.link_gbps", switch.link_gbps)
    per_ns = delay.denominator
    bits = gbps / per_ns
    if not delay or bits.denominator != 1:
        raise InputError(
            f"switch.delay_ns={float(delay):g}, switch.link_gbps={float(gbps):g}: expected a delay above 0, and a "
            f"whole number of bits in {1 / per_ns:g} ns, the clock cycle"
        )
    channel = int(bits)
    packet = -(-DATA_BITS // channel) * channel
    classes = 1 if plane.routes.channels is None else plane.routes.channels.classes
    routing = keys.get("routing", "")
    by_name = {name: word for word, name in ROUTINGS.items()} | {HOP_CLASSES: "ShortestPath"}
    program = Program(
        topology=topology,
        routing=by_name.get(routing, default_routing(topology)),
        flow_control="VirtualCutThrough",
        channel_bits=channel,
        frequency_hz=Fraction(per_ns * 10**9),
        packet_bits=packet,
        data_bits=DATA_BITS,
        # Receiving a flit takes a clock of its own in a program, but is part of the delay of a switch.
        hardware_delay=Duration((delay - Fraction(1, per_ns)) / 10**9),
        buffer_bits=PACKETS_OF_BUFFER * packet,
        virtual_channels=max(VIRTUAL_CHANNELS, classes),
        date_lines=bool(keys.get("datelines", False)) or routing == TURN_CLASSES,
        hop_classes=routing == HOP_CLASSES,
        cable_delay=Duration(exact_number("switch.cable_delay_ns_per_m", switch.cable_delay_ns_per_m) / 10**9),
        message_creation_max=MESSAGES,
        message_rate=Fraction(1, 100),
        message_bytes=(DATA_BITS // 8, DATA_BITS // 8),
    )
    check(program)
    return program


def _require_same(stated: Network, given: Network) -> None:
    """Raise an `InputError` if the network of a program differs from the given one."""
    (plane,), (other,) = stated.planes, given.planes
    if not np.array_equal(plane.cable_mm, other.cable_mm):
        raise InputError(
            f"network.assumed_cable_m: cables of {other.cable_mm.max() / 1000:g} m; expected 0, because a program has "
            "lengths only in a graph"
        )
    found, keys = stated.family.write()["network"], given.family.write()["network"]
    for key in sorted((found.keys() | keys.keys()) - set(LENGTH_KEYS)):
        if found.get(key) != keys.get(key):
            raise InputError(f"network.{key}={keys.get(key)}: expected another one, which a program can state")


def _rdt(keys: Keys, _: Plane) -> StatedTopology:
    rows = tuple(str(keys["tile"]).split())
    return Rdt(max(map(int, "".join(rows))), (keys["side"], keys["side"]), rows)


def _graph(keys: Keys, plane: Plane) -> StatedTopology:
    """Return the edges in their order, which is that of ports, with the lengths of cables."""
    lower, port = plane.topology.cable_ends()
    ends = zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True)
    length_mm = dict(zip(ends, plane.cable_mm[lower, port].tolist(), strict=True))
    links = tuple((a, b, length_mm[min(a, b), max(a, b)]) for a, b, *_ in keys["edges"])
    return Graph(plane.topology.switches, links)


TOPOLOGIES: Mapping[str, Callable[[Keys, Plane], StatedTopology]] = {
    "torus": lambda keys, _: Torus(tuple(keys["shape"])),
    "mesh": lambda keys, _: Torus(tuple(keys["shape"]), wraps=False),
    "direct_hypercube": lambda keys, _: Cube(ConnectionSet(keys["n"], tuple(keys["generators"])), keys["folded"]),
    "rdt": _rdt,
    "graph": _graph,
}
