"""The network description language: text to programs and back."""

from .build import fabric_of_program
from .choices import DeadlockRecovery, FlowControl, Pattern, Routing, Traffic
from .parse import parse_program, read_program
from .patterns import parse_messages, read_messages
from .program import Program
from .rules import default_routing
from .simulated import hardware_of_program, traffic_of_program
from .topology import Graph, Link, Mesh, Rdt, Topology, Torus
from .units import Duration
from .write import write_program

__all__ = [
    "DeadlockRecovery",
    "Duration",
    "FlowControl",
    "Graph",
    "Link",
    "Mesh",
    "Pattern",
    "Program",
    "Rdt",
    "Routing",
    "Topology",
    "Torus",
    "Traffic",
    "default_routing",
    "fabric_of_program",
    "hardware_of_program",
    "parse_messages",
    "parse_program",
    "read_messages",
    "read_program",
    "traffic_of_program",
    "write_program",
]
