"""Network models: connection sets, planes, networks, layouts, prices, switches and families. Frozen data, no search."""

from .cabling import CableTable, cable_lengths_mm, cable_table
from .canonical import canonical_form
from .circuits import Circuits
from .connection_set import ConnectionSet
from .cube import Cube
from .cubes import Cubes
from .design import Design
from .dual_cube import cube_planes, dual_cube, port_aggregate
from .errors import InputError
from .families import family_named, family_names
from .families.hybrid import Hybrid
from .families.optical_overlay import OpticalOverlay
from .family import Family
from .hybrid_family import HybridFamily
from .layout import Layout
from .message_list import MessageList
from .network import Network
from .optical_switch import OpticalSwitch
from .placement import Placement
from .plane import Plane, uniform_attachment
from .prices import PriceList
from .racks import RackAssignment, assign_racks
from .site import Site
from .switch import DelayUnits, SwitchModel
from .timing import Timing
from .topology import Topology
from .uniform_family import UniformFamily
from .variables import BasisVariable, CircuitsVariable, PlacementVariable, Variable

__all__ = [
    "BasisVariable",
    "CableTable",
    "Circuits",
    "CircuitsVariable",
    "ConnectionSet",
    "Cube",
    "Cubes",
    "DelayUnits",
    "Design",
    "Family",
    "Hybrid",
    "HybridFamily",
    "InputError",
    "Layout",
    "MessageList",
    "Network",
    "OpticalOverlay",
    "OpticalSwitch",
    "Placement",
    "PlacementVariable",
    "Plane",
    "PriceList",
    "RackAssignment",
    "Site",
    "SwitchModel",
    "Timing",
    "Topology",
    "UniformFamily",
    "Variable",
    "assign_racks",
    "cable_lengths_mm",
    "cable_table",
    "canonical_form",
    "cube_planes",
    "dual_cube",
    "family_named",
    "family_names",
    "port_aggregate",
    "uniform_attachment",
]
