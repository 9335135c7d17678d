import re

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.routing import ARRIVED, explicit_table, forwarding_table, hops
from isoplane.models.topologies import graph, mesh, rdt, torus
from tests.cases import for_each
from tests.models.graphs import distances

BLOCKS = torus((23, 24))  # 552 switches: columns are filled 512 at a time


@for_each("topology", [torus((5, 4)), mesh((4, 4)), rdt(8), graph([(0, 1), (1, 2), (0, 1), (2, 0)]), BLOCKS])
def test_the_next_port_is_the_lowest_one_that_leads_closer(topology):
    distance, table = distances(topology), forwarding_table(topology).next_port
    for source in range(topology.switches):
        for destination in range(topology.switches):
            closer = [
                port
                for port, peer in enumerate(topology.peer[source].tolist())
                if peer >= 0 and distance[peer, destination] < distance[source, destination]
            ]
            assert table[source, destination] == (closer[0] if source != destination else ARRIVED)


def test_disconnected_switches_are_reported():
    message = "topology: no cables lead from switch 0 to switch 2; expected connected switches"
    with pytest.raises(InputError, match=re.escape(message)):
        forwarding_table(graph([(0, 1), (2, 3)]))


def test_a_table_of_more_than_16384_switches_is_rejected():
    with pytest.raises(InputError, match="switches=32768: expected an integer from 1 to 16384"):
        forwarding_table(torus((256, 128)))


def test_an_explicit_table_is_used_unchanged():
    topology = torus((4,))
    given_table = [[9, 0, 1, 1], [1, 9, 0, 0], [0, 1, 9, 0], [0, 0, 1, 9]]  # the long way from 1 to 0 and to 3
    routes = explicit_table(topology, given_table)
    assert routes.next_port.diagonal().tolist() == [ARRIVED] * 4
    assert hops(topology, routes).tolist() == [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]


@for_each(
    ("table", "message"),
    [
        ([[0, 0], [0, 0]], "next_port: an array of int64 of shape (2, 2); expected integers for 3 x 3 switches"),
        (np.zeros((3, 3)), "next_port: an array of float64 of shape (3, 3); expected integers for 3 x 3 switches"),
        ([[0, 0, 0], [0, 0], [0]], "next_port: rows of different lengths; expected one port per switch"),
        ([[0, 0, 0], [0, 0, 2], [0, 0, 0]], "next_port[1][2]=2: expected an integer from 0 to 1"),
        ([[0, -1, 0], [0, 0, 1], [0, 0, 0]], "next_port[0][1]=-1: expected an integer from 0 to 1"),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], "the route from 0 to 2 returns to switch 1; expected routes without"),
        ([[0, 0, 1], [0, 0, 1], [0, 0, 0]], "the route from 0 to 2 takes port 1 of switch 0; expected ports with"),
    ],
)
def test_a_table_with_invalid_routes_is_rejected(table, message):
    with pytest.raises(InputError, match=re.escape(message)):
        explicit_table(graph([(0, 1), (1, 2)]), table)


def test_a_table_of_4096_switches_takes_less_than_40_megabytes():
    routes = forwarding_table(torus((64, 64)))
    assert routes.next_port.nbytes + routes.row.nbytes < 40e6
