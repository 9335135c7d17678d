"""Platform files of SimGrid, with the routes of all planes."""

from collections.abc import Iterator

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.runs.exports.exporter import PACKETS, Exported, Exporter, Files, as_bytes
from isoplane.runs.exports.simple_networks import require_ways_of_pairs

from .elements import element_lines, link_names
from .miss_rates import miss_rates, miss_rates_text
from .platform_zones import PlatformZones, platform_zones
from .route_lines import routes_between

MAX_ROUTES = 1 << 22  # SimGrid keeps all of them in memory: 0.7 GB
HEAD = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="network" routing="Full">"""
TAIL = "  </zone>\n</platform>"


def files(exported: Exported) -> Files:
    """Yield the platform: a host for each node, a link for each direction of each cable, and all routes."""
    network = exported.network
    require_ways_of_pairs(network)
    zones = platform_zones(network)
    if zones.routes > MAX_ROUTES:
        raise InputError(
            f"format=simgrid: {zones.routes} routes of {len(zones)} groups of nodes; expected at most {MAX_ROUTES}"
        )
    yield "platform.xml", as_bytes(_lines(zones, miss_rates(exported)))


def _lines(zones: PlatformZones, misses: tuple[Ints, int]) -> Iterator[str]:
    names = link_names(zones.network)
    yield HEAD
    yield from element_lines(zones, names, misses)
    yield from routes_between(zones, names)
    yield TAIL


EXPORTER = Exporter(
    "SimGrid platform with explicit routes", "SimGrid", files, kinds=PACKETS, switch_delays=miss_rates_text
)
