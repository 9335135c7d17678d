"""What exists: connection sets, planes, networks, layouts, prices, switches and fabrics. Frozen data, no search."""

from .cabling import CableTable, cable_lengths_mm, cable_table
from .canonical import canonical_form
from .circuits import Circuits
from .connection_set import ConnectionSet
from .cube import Cube
from .cubes import Cubes
from .design import Design
from .dual_cube import cube_planes, dual_cube, port_aggregate
from .errors import InputError
from .fabric import Fabric, FabricPlane, evenly, fabric_of
from .families import family_named, family_names
from .families.hybrid import Hybrid
from .family import Family
from .layout import Layout
from .network import Network
from .placement import Placement
from .prices import PriceList
from .site import Site
from .switch import DelayUnits, SwitchModel
from .wiring import Wiring
from .workload import MessageList

__all__ = [
    "CableTable",
    "Circuits",
    "ConnectionSet",
    "Cube",
    "Cubes",
    "DelayUnits",
    "Design",
    "Fabric",
    "FabricPlane",
    "Family",
    "Hybrid",
    "InputError",
    "Layout",
    "MessageList",
    "Network",
    "Placement",
    "PriceList",
    "Site",
    "SwitchModel",
    "Wiring",
    "cable_lengths_mm",
    "cable_table",
    "canonical_form",
    "cube_planes",
    "dual_cube",
    "evenly",
    "fabric_of",
    "family_named",
    "family_names",
    "port_aggregate",
]
