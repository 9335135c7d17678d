import re
from dataclasses import replace

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.routing import Paths, Routes, torus_order
from isoplane.models.topologies import graph
from tests.cases import for_each

ROUTES = torus_order((4, 3))
PATHS = Paths(np.zeros(13, dtype=np.uint32), np.zeros(0, dtype=np.uint16))


@for_each(
    ("fields", "message"),
    [
        ({"next_port": None}, "routes: expected either next ports or paths"),
        ({"paths": PATHS}, "routes: expected either next ports or paths"),
        ({"next_port": ROUTES.next_port[:, :9]}, "routes: expected 12 entries per row, as many as switches"),
        ({"next_port": ROUTES.next_port[0]}, "routes: expected 12 entries per row, as many as switches"),
        (
            {"next_port": None, "paths": replace(PATHS, starts=PATHS.starts[1:])},
            "routes: expected 12 entries per row, as many as switches",
        ),
        ({"shape": (4, 4)}, "routes.shape=[4, 4]: expected a torus of 12 switches"),
    ],
)
def test_routes_that_lack_entries_are_rejected(fields, message):
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        replace(ROUTES, **fields)


TABLE = Routes(
    "table",
    np.array([0, 0, 1]),
    next_port=np.array([[0, 0, 0], [0, 1, 1]], dtype=np.uint16),
    column=np.array([2, 0, 0, 1], dtype=np.int32),
    target_switch=np.array([0, 1, 1], dtype=np.int32),
)


@for_each(
    ("fields", "message"),
    [
        (
            {"target_switch": None},
            "routes.column: expected one column per node, with routes.target_switch, or neither of them",
        ),
        ({"group": "xor"}, "routes.column: given with group=xor; expected tables of next ports"),
        (
            {"target_switch": TABLE.target_switch[:2]},
            "routes: expected 2 entries per row, as many as routes.target_switch has",
        ),
        (
            {"column": TABLE.column - 1},
            "routes.column: -1 at 1; expected integers from 0 to 2 in a one-dimensional array",
        ),
        (
            {"target_switch": TABLE.target_switch + 2},
            "routes.target_switch: 3 at 1; expected integers from 0 to 2 in a one-dimensional array",
        ),
        ({"column": TABLE.column[None]}, "routes.column: an array of shape (1, 4); expected integers from 0 to 2"),
    ],
)
def test_invalid_columns_of_nodes_are_rejected(fields, message):
    with pytest.raises(InputError, match=re.escape(message)):
        replace(TABLE, **fields)


@for_each(
    ("node_switch", "message"),
    [
        ([1, 0, 0], "routes.column: 4 nodes; expected 3, as in the plane"),
        ([1, 0, 2, 1], "routes.column=0 of node 2: leads to switch 0; expected columns to its switch 2"),
    ],
)
def test_columns_lead_to_the_switches_of_the_nodes(node_switch, message):
    path = graph([(0, 1), (1, 2)])
    TABLE.require_fit(path, np.array([1, 0, 0, 1]))
    with pytest.raises(InputError, match=re.escape(message)):
        TABLE.require_fit(path, np.array(node_switch))


def test_the_target_of_a_node_is_its_column_or_its_switch():
    assert TABLE.targets(np.array([1, 0, 0, 1])).tolist() == [2, 0, 0, 1]
    assert TABLE.switch_of(np.array([2, 0])).tolist() == [1, 0]
    assert ROUTES.targets(np.array([7, 3])).tolist() == ROUTES.switch_of(np.array([7, 3])).tolist() == [7, 3]


def test_paths_have_an_entry_per_row_and_offset():
    assert replace(ROUTES, next_port=None, paths=PATHS).columns == 12
