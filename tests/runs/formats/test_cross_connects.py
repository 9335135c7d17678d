"""Files of cross-connects: written circuits are read back, and other files are rejected."""

import pytest

from isoplane.models import Circuits, Hybrid, InputError
from isoplane.runs.inputs.cross_connects import HEADER, cross_connects, read_cross_connects
from tests.cases import for_each


def read(folder, text):
    path = folder / "given.csv"
    path.write_text(text, encoding="utf-8")
    return read_cross_connects(path)


@for_each("pairs", [(), ((0, 4),), ((0, 4), (0, 5), (3, 6))])
def test_circuits_are_read_back_as_they_were_written(tmp_path, pairs):
    text = cross_connects(Hybrid(2, 4, 2).optical, Circuits(pairs))
    assert read(tmp_path, text) == Circuits(pairs)
    assert read(tmp_path, "node_b,node_a\n4,0\n") == Circuits(((0, 4),))  # two columns are enough


@for_each(
    ("text", "message"),
    [
        ("", "no header; expected columns node_a and node_b"),
        ("0,4\n1,5\n", "no header; expected columns node_a and node_b"),
        (HEADER.replace("node_b", "to") + "\n0,0,0,4,0,0,1\n", "no header; expected columns node_a and node_b"),
        ("node_a,node_b\n0\n", "no two nodes in a line"),
        ("node_a,node_b\n0,4.5\n", "no two nodes in a line"),
    ],
)
def test_a_file_without_a_header_or_two_nodes_in_a_line_is_rejected(tmp_path, text, message):
    with pytest.raises(InputError, match=rf"given\.csv: {message}"):
        read(tmp_path, text)
