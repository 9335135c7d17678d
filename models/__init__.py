"""What exists: connection sets, planes, networks, layouts, price lists and switch models. Frozen data, no search."""

from .cabling import CableTable, cable_table
from .canonical import canonical_form
from .connection_set import ConnectionSet
from .cube import Cube
from .design import Design
from .errors import InputError
from .layout import Layout
from .network import Network, dual_cube, identical_planes, port_aggregate
from .prices import PriceList
from .switch import DelayUnits, SwitchModel
from .workload import MessageList

__all__ = [
    "CableTable",
    "ConnectionSet",
    "Cube",
    "DelayUnits",
    "Design",
    "InputError",
    "Layout",
    "MessageList",
    "Network",
    "PriceList",
    "SwitchModel",
    "cable_table",
    "canonical_form",
    "dual_cube",
    "identical_planes",
    "port_aggregate",
]
