"""What exists: connection sets, planes, networks, layouts, prices, switches and fabrics. Frozen data, no search."""

from .cabling import CableTable, cable_lengths_mm, cable_table
from .canonical import canonical_form
from .circuits import Circuits
from .connection_set import ConnectionSet
from .cube import Cube
from .design import AnyNetwork, Design
from .errors import InputError
from .fabric import Fabric, FabricPlane, evenly, fabric_of
from .hybrid import HybridNetwork
from .layout import Layout
from .network import Network, dual_cube, identical_planes, port_aggregate
from .placement import Placement
from .prices import PriceList
from .switch import DelayUnits, SwitchModel
from .wiring import Wiring
from .workload import MessageList

__all__ = [
    "AnyNetwork",
    "CableTable",
    "Circuits",
    "ConnectionSet",
    "Cube",
    "DelayUnits",
    "Design",
    "Fabric",
    "FabricPlane",
    "HybridNetwork",
    "InputError",
    "Layout",
    "MessageList",
    "Network",
    "Placement",
    "PriceList",
    "SwitchModel",
    "Wiring",
    "cable_lengths_mm",
    "cable_table",
    "canonical_form",
    "dual_cube",
    "evenly",
    "fabric_of",
    "identical_planes",
    "port_aggregate",
]
