"""What a network is, as frozen data: families, planes, routes, the machine room, workloads."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .cabling.cable_lengths import CableTable, cable_lengths_mm, cable_table
    from .cabling.racks import RackAssignment, assign_racks
    from .circuits import Circuits
    from .cubes.canonical import canonical_form
    from .cubes.connection_set import ConnectionSet
    from .cubes.cube import Cube
    from .design import Design
    from .errors import InputError
    from .families import family_named, family_names
    from .families._dual_cube import cube_planes, dual_cube, port_aggregate
    from .families.hybrid import Hybrid
    from .families.optical_overlay import OpticalOverlay
    from .family import Family
    from .family_kinds.cube import Cubes
    from .family_kinds.optical import OpticalFamily
    from .family_kinds.routed import RoutedFamily
    from .family_kinds.uniform import UniformFamily
    from .network import Network
    from .optical_switch import OpticalSwitch
    from .placement import Placement
    from .planes.link_rates import Timing
    from .planes.plane import Plane, uniform_attachment
    from .planes.topology import Topology
    from .search_variables import BasisVariable, CircuitsVariable, PlacementVariable, Variable
    from .site.layout import Layout
    from .site.prices import PriceList
    from .site.routing_cache import CacheVariable, Crc, RoutingCache
    from .site.site import Site
    from .site.switch_model import DelayUnits, SwitchModel
    from .workloads.message_list import MessageList
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "BasisVariable",
    "CableTable",
    "CacheVariable",
    "Circuits",
    "CircuitsVariable",
    "ConnectionSet",
    "Crc",
    "Cube",
    "Cubes",
    "DelayUnits",
    "Design",
    "Family",
    "Hybrid",
    "InputError",
    "Layout",
    "MessageList",
    "Network",
    "OpticalFamily",
    "OpticalOverlay",
    "OpticalSwitch",
    "Placement",
    "PlacementVariable",
    "Plane",
    "PriceList",
    "RackAssignment",
    "RoutedFamily",
    "RoutingCache",
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
