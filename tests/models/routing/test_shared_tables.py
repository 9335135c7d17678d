"""Compressed tables give the same routes as full tables."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.deadlock.channel_dependencies import dependencies
from isoplane.models.routing import (
    ARRIVED,
    Routes,
    channel_cycle,
    forwarding_table,
    hops,
    links_of_route,
    shared_tables,
)
from isoplane.models.topologies import graph
from tests.cases import for_each
from tests.models.trees import two_levels
from tests.strategies import connected_edges


def full_table(table, target_switch):
    """Return routes with one row per switch and one column per node."""
    rows, columns = (np.arange(size, dtype=np.int32) for size in table.shape)
    return Routes(
        "table", rows, next_port=table.astype(np.uint16), column=columns, target_switch=target_switch.astype(np.int32)
    )


def check_same_routes(topology, table, target_switch):
    full, shared = full_table(table, target_switch), shared_tables(table, target_switch)
    shared.require_fit(topology, target_switch)
    assert np.array_equal(hops(topology, full), hops(topology, shared)[:, shared.column])
    for switch in range(topology.switches):
        for node, column in enumerate(shared.column.tolist()):
            assert links_of_route(topology, full, switch, node) == links_of_route(topology, shared, switch, column)
    assert set(map(tuple, dependencies(topology, full))) == set(map(tuple, dependencies(topology, shared)))
    return shared


def test_a_tree_of_two_levels_needs_two_rows_and_two_columns_per_leaf():
    topology, table, target_switch = two_levels(leaves=4, hosts=4, spines=2)
    shared = check_same_routes(topology, table, target_switch)
    # All leaves forward alike except to their own nodes, and so do both spines; nodes of a leaf differ modulo 2.
    assert shared.row.tolist() == [0, 0, 0, 0, 1, 1]
    assert shared.column.tolist() == [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]
    assert shared.next_port.tolist() == [[0, 1] * 4, [0, 0, 1, 1, 2, 2, 3, 3]]
    assert channel_cycle(topology, shared, virtual_channels=1) is None


@given(connected_edges(7), st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_shared_tables_of_any_graph_have_the_routes_of_full_tables(edges, places):
    topology = graph(edges)
    target_switch = np.array(places) % topology.switches
    shared = check_same_routes(topology, forwarding_table(topology).next_port[:, target_switch], target_switch)
    assert shared.columns == len(np.unique(target_switch))  # shortest paths depend only on the switch of a node


def test_entries_of_a_switch_for_its_own_nodes_are_ignored():
    topology, table, target_switch = two_levels()
    changed = table.copy()
    changed[target_switch, np.arange(16)] = 9
    full, shared = ([build(each, target_switch) for each in (changed, table)] for build in (full_table, shared_tables))
    assert np.array_equal(*(hops(topology, routes) for routes in full))
    assert np.array_equal(*(routes.next_port for routes in shared))


def test_open_entries_of_a_switch_are_filled_in_from_another():
    assert shared_tables([[3, 0], [0, 3]], [0, 1]).next_port.tolist() == [[0, 0]]
    assert shared_tables([[3, 3], [1, 2]], [0, 0]).next_port.tolist() == [[1, 2]]
    assert shared_tables([[3, 3]], [0, 0]).next_port.tolist() == [[ARRIVED]]


@for_each(
    ("table", "target_switch", "message"),
    [
        (
            [0, 1],
            [0, 0],
            "next_port: an array of shape (2,) for 2 nodes; expected a row per switch, with one port",
        ),
        ([[0, 1]], [0], "next_port: an array of shape (1, 2) for 1 nodes; expected a row per switch, with one po"),
        ([[0, -1]], [0, 0], "next_port: int64 from -1 to 0; expected integers from 0 to 65535"),
        ([[0, 0.5]], [0, 0], "next_port: float64 from 0.0 to 0.5; expected integers from 0 to 65535"),
        ([[0, 1]], [0, 1], "target_switch: int64 from 0 to 1; expected integers from 0 to 0"),
    ],
)
def test_an_invalid_table_is_rejected(table, target_switch, message):
    with pytest.raises(InputError, match=re.escape(message)):
        shared_tables(table, target_switch)
