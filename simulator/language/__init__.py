"""The network description language: parsing and writing programs, and simulating them."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .build import hardware_of, network_keys, network_of_program
    from .output import data_text, output_names, screen_text, simulate_program
    from .patterns import parse_messages, read_messages
    from .problems import StatementError
    from .program import DeadlockRecovery, FlowControl, Pattern, Program, Routing, Traffic
    from .report import ProgramReport, report_of
    from .rules import default_routing, notes
    from .run import interval_ns_of, run_program, simulation_of, traffic_of
    from .text.parse import parse_program, placed, read_program
    from .text.statements import write_program
    from .topology import Graph, Rdt, StatedTopology, Torus
    from .units import Duration
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "DeadlockRecovery",
    "Duration",
    "FlowControl",
    "Graph",
    "Pattern",
    "Program",
    "ProgramReport",
    "Rdt",
    "Routing",
    "StatedTopology",
    "StatementError",
    "Torus",
    "Traffic",
    "data_text",
    "default_routing",
    "hardware_of",
    "interval_ns_of",
    "network_keys",
    "network_of_program",
    "notes",
    "output_names",
    "parse_messages",
    "parse_program",
    "placed",
    "read_messages",
    "read_program",
    "report_of",
    "run_program",
    "screen_text",
    "simulate_program",
    "simulation_of",
    "traffic_of",
    "write_program",
]
