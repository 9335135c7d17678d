"""Input ports of switches, and those at which packets look up their destination along routes."""

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.mathematics.spans import starts_of

NO_LINK = NO_PORT = -1


def input_ports(network: Network) -> tuple[Ints, Ints, Ints]:
    """Return the input ports of all switches: by plane, those of the cables between switches, then those of nodes.

    The first are in the order of the switch and the port at which the link begins, the second in that of the links of
    nodes. In a direct network a node is part of its switch, which nevertheless has a port for the packets of the node.

    Returns
    -------
    int64[ports]
        The plane of each port.
    int64[ports]
        Its switch.
    int64[ports]
        The link that leads to it, numbered as in `PlaneLinks`; -1 for the port of a node in a direct network.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> plane, switch, link = input_ports(Network(Torus(shape=(3,), node_cable_m=2.0)))
    >>> switch.tolist(), link.tolist()
    ([1, 2, 2, 0, 0, 1, 0, 1, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    plane, switch, link = [], [], []
    for number, links in enumerate(network.plane_links):
        peer, node_switch = links.plane.topology.peer, links.plane.node_switch
        ends = np.concatenate([peer[peer >= 0], node_switch]).astype(np.int64)
        order = np.arange(len(ends))
        plane.append(np.full(len(ends), number))
        switch.append(ends)
        link.append(np.where(order < links.links, links.first + order, NO_LINK))
    return np.concatenate(plane), np.concatenate(switch), np.concatenate(link)


def first_ports(network: Network) -> Ints:
    """Return the first input port of each plane, and the number of all of them."""
    cables = [int((links.plane.topology.peer >= 0).sum()) for links in network.plane_links]
    nodes = [len(links.plane.node_switch) for links in network.plane_links]
    return starts_of(np.array(cables) + np.array(nodes))


def ports_on_routes(network: Network, start: Ints, link: Ints) -> tuple[Ints, Ints]:
    """Return the input ports at which a packet looks up its destination, one for each switch that delays it.

    They are those of the switches that it enters over links. In a direct network the first one is that of the node in
    its switch, and the switch of the destination forwards it no more, and so looks up nothing: as many switches as
    links, like the delays of the fluid model and of the simulator.

    Parameters
    ----------
    network
        A network without circuits.
    start : int64[routes + 1]
        Route i has the links ``link[start[i]:start[i + 1]]``.
    link : int64[...]
        Its links, numbered as in `PlaneLinks`.

    Returns
    -------
    int64[routes + 1], int64[...]
        The same of ports, numbered as in `input_ports`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> cabled, direct = (Network(Torus(shape=(5,), node_cable_m=metres)) for metres in (2.0, None))
    >>> [network.route_links(np.array([4]), np.array([1]), 0)[1].tolist() for network in (cabled, direct)]
    [[14, 8, 0, 16], [8, 0]]
    >>> [ports_on_routes(cabled, np.array([0, 4]), np.array([14, 8, 0, 16]))[1].tolist()]  # of switches 4, 0 and 1
    [[14, 8, 0]]
    >>> [ports_on_routes(direct, np.array([0, 2]), np.array([8, 0]))[1].tolist()]  # of switches 4 and 0
    [[14, 8]]
    """
    into, of_node = _ports_of_links(network)
    port = into[link]
    is_direct = of_node[link] != NO_PORT
    if is_direct.any():
        # The switch that a link leaves was entered by the link before it, or at the start by the node in it.
        entered = np.concatenate([[NO_PORT], port[:-1]])
        begin = start[:-1][start[:-1] < start[1:]]
        entered[begin] = of_node[link[begin]]
        port = np.where(is_direct, entered, port)
    kept = port != NO_PORT
    return np.concatenate([[0], np.cumsum(kept)])[start], port[kept]


def _ports_of_links(network: Network) -> tuple[Ints, Ints]:
    """Return the port to which each link leads, and in a direct network that of the node where it begins; else -1."""
    links = sum(plane.links for plane in network.plane_links)
    into, of_node = np.full(links, NO_PORT), np.full(links, NO_PORT)
    _, _, link = input_ports(network)
    cabled = np.flatnonzero(link != NO_LINK)
    into[link[cabled]] = cabled
    for plane_links, end in zip(network.plane_links, first_ports(network)[1:].tolist(), strict=True):
        if plane_links.is_direct:
            plane = plane_links.plane
            port_of_switch = np.full(plane.topology.switches, NO_PORT)
            port_of_switch[plane.node_switch] = end - len(plane.node_switch) + np.arange(len(plane.node_switch))
            begins = np.broadcast_to(port_of_switch[:, None], plane.topology.peer.shape)
            of_links = slice(plane_links.first, plane_links.first + plane_links.links)
            of_node[of_links] = plane_links.values(begins, plane.node_switch, plane.node_switch)
    return into, of_node
