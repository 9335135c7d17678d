"""From a program to the network that it describes."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube, Network, Plane, Topology, assembled, evenly
from isoplane.models.routing import (
    Routes,
    dimension_order,
    forwarding_table,
    hop_classes,
    mesh_order,
    torus_order,
    up_down,
    vector_routing,
)
from isoplane.models.topologies import cube_topology, graph, graph_cables_mm, mesh, rdt, torus
from isoplane.simulator.hardware import MAX_CHANNELS

from .choices import Routing
from .forms import topology_words
from .problems import StatementError
from .program import Program
from .topology import Graph, Mesh, Rdt, StatedTopology, Torus


def network_of_program(program: Program) -> Network:
    """Return the direct network of a program: one plane, with a node in each switch.

    It is called as the program states its topology, such as ``Torus 64 64``. Only the links of a `Graph` have a length.

    Examples
    --------
    >>> from .parse import read_program
    >>> from importlib.resources import files
    >>> network = network_of_program(read_program(files("isoplane.conf") / "programs" / "hypercube-12.ndl"))
    >>> network.title, network.nodes, network.planes[0].topology.ports
    ('Hypercube 12', 4096, 12)
    """
    cables = _cables(program.topology)
    lengths, nodes = _cable_mm(program.topology, cables), evenly(cables.switches, 1)
    plane = Plane(cables, _routes(program, cables), lengths, nodes)
    return assembled(topology_words(program.topology), (plane,))


def _cables(topology: StatedTopology) -> Topology:
    if isinstance(topology, Torus):
        return torus(topology.shape)
    if isinstance(topology, Mesh):
        return mesh(topology.shape)
    if isinstance(topology, Cube):
        return cube_topology(topology)
    if isinstance(topology, Rdt):
        return rdt(topology.shape[0], " ".join(topology.tile))
    return graph([link[:2] for link in topology.links], topology.switches)


def _cable_mm(topology: StatedTopology, cables: Topology) -> NDArray[np.int64]:
    if isinstance(topology, Graph):
        return graph_cables_mm([(a, b, mm / 1000) for a, b, mm in topology.links], topology.switches)
    return np.zeros_like(cables.peer, dtype=np.int64)


def _routes(program: Program, cables: Topology) -> Routes:
    topology = program.topology
    if program.routing is Routing.UP_DOWN:
        return up_down(cables)
    if program.routing is Routing.SHORTEST_PATH:
        shortest = forwarding_table(cables)
        return _by_hop(program, hop_classes(cables, shortest)) if program.hop_classes else shortest
    if isinstance(topology, Torus):
        return torus_order(topology.shape, program.date_lines)
    if isinstance(topology, Mesh):
        return mesh_order(topology.shape)
    if isinstance(topology, Cube):
        return dimension_order(topology)
    assert isinstance(topology, Rdt)  # no other topology has a routing of its own
    return vector_routing(topology.shape[0], " ".join(topology.tile))


def _by_hop(program: Program, routes: Routes) -> Routes:
    """Return routes with a class of virtual channels for each hop, if the links have as many channels.

    Raises
    ------
    StatementError
        If they have fewer, or would need more than there can be.
    """
    needed = 1 if routes.channels is None else routes.channels.classes
    if needed > MAX_CHANNELS:
        allowed = f"No, for routes of {needed} hops need {needed} virtual channels; there are at most {MAX_CHANNELS}"
        raise StatementError("HopClasses", "Yes", allowed)
    if program.virtual_channels < needed:
        allowed = f"at least {needed} with HopClasses, for the longest route has {needed} hops"
        raise StatementError("VirtualChannels", f"{program.virtual_channels}", allowed)
    return routes
