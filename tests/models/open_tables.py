"""Tables of random graphs in which switches without nodes have routes only to destinations whose packets pass them."""

import random

import numpy as np

from isoplane.models.routing import NO_ROUTE, Routes, forwarding_table
from isoplane.models.topologies import graph


class OpenTable:
    """Shortest-path routes of a graph with nodes at some switches, followed node by node.

    Attributes
    ----------
    topology, node_switch
        The graph, and the switch of each node.
    table
        Next ports by switch and node, `NO_ROUTE` where no packet to the node passes.
    walks
        Links (switch, port) of the route from each switch with nodes to each node.
    """

    def __init__(self, edges, places):
        self.topology = graph(edges)
        self.node_switch = np.array(places, dtype=np.int32) % self.topology.switches
        full = forwarding_table(self.topology).next_port[:, self.node_switch]
        self.table, self.walks = np.full_like(full, NO_ROUTE), {}
        for source in set(self.node_switch.tolist()):
            for node, end in enumerate(self.node_switch.tolist()):
                switch, links = source, []
                while switch != end:
                    links.append((switch, int(full[switch, node])))
                    self.table[links[-1][0], node] = links[-1][1]
                    switch = int(self.topology.peer[links[-1]])
                self.walks[source, node] = links

    def routes(self, table=None, channels=None):
        """Return routes with a row per switch and a column per node."""
        table = self.table if table is None else table
        rows, columns = (np.arange(size, dtype=np.int32) for size in table.shape)
        return Routes("table", rows, next_port=table, channels=channels, column=columns, target_switch=self.node_switch)

    def filled(self, seed):
        """Return the table with random ports in place of `NO_ROUTE`: dead ends, loops, or ports without a cable."""
        rng = random.Random(seed)
        ports = [[rng.randrange(self.topology.ports + 1) for _ in row] for row in self.table]
        return np.where(self.table == NO_ROUTE, np.array(ports), self.table).astype(np.uint16)
