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


@for_each("text", ["", "0,4\n", "0,4\n1,5\n", HEADER.replace("node_b", "to") + "\n0,0,0,4,0,0,1\n"])
def test_a_file_without_a_header_is_not_read_as_an_empty_set_of_circuits(tmp_path, text):
    with pytest.raises(InputError, match=r"given\.csv: no header; expected columns node_a and node_b"):
        read(tmp_path, text)


@for_each("line", ["0", "0,x", "0,4.5", "0,"])
def test_a_line_without_two_nodes_is_rejected(tmp_path, line):
    with pytest.raises(InputError, match=r"given\.csv: no two nodes in a line"):
        read(tmp_path, f"node_a,node_b\n{line}\n")
