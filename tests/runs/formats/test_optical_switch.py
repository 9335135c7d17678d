"""Cross-connects of an optical switch: light passes both ways of every circuit, and files are read back."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.runs.inputs.cross_connects import HEADER, cross_connects, read_cross_connects
from tests.cases import for_each, require_refusal

from .cabling.files_of import contents, rows


@st.composite
def hybrids(draw):
    """Designs of a few groups with circuits, some of them parallel, and any placement."""
    groups, nodes, ports = draw(st.integers(2, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    network = Network(Hybrid(groups, nodes, ports))
    free, pairs = Counter(dict.fromkeys(range(network.nodes), ports)), []
    ends = st.integers(0, network.nodes - 1)
    for a, b in draw(st.lists(st.tuples(ends, ends), max_size=12)):
        if a // nodes != b // nodes and free[a] and free[b]:
            pairs.append((a, b))
            free.subtract((a, b))
    placement = Placement(tuple(draw(st.permutations(range(network.nodes)))))
    return Design(network, Circuits(tuple(pairs)), placement)


@given(hybrids())
@settings(deadline=None, max_examples=60)
def test_light_from_each_end_of_a_circuit_arrives_at_the_other(design):
    files = contents("optical_switch", design)
    placement = {int(row["process"]): int(row["node"]) for row in rows(files["placement.csv"])}
    assert tuple(placement[process] for process in range(len(placement))) == design.placement.nodes
    fibres = [tuple(map(int, row.values())) for row in rows(files["fibres.csv"])]
    duplex = len(fibres)
    assert duplex == design.network.nodes * design.network.family.ports_per_node
    into = {(node, port): ingress for node, port, _, ingress, _ in fibres}
    out_of = {egress: (node, port) for node, port, _, _, egress in fibres}
    assert sorted(into.values()) == list(range(1, duplex + 1))
    assert sorted(out_of) == list(range(duplex + 1, 2 * duplex + 1))
    switch_port = {(node, port): number for node, port, number, *_ in fibres}

    pairs = json.loads(files["polatis.json"])["optical-switch:cross-connects"]["pair"]
    egress = {pair["ingress"]: pair["egress"] for pair in pairs}
    assert len(egress) == len(set(egress.values())) == len(pairs) == 2 * len(design.circuits)

    found = []
    for row in rows(files["cross_connects.csv"]):
        a, b = ((int(row[f"node_{end}"]), int(row[f"node_port_{end}"])) for end in "ab")
        for here, there, end in ((a, b, "a"), (b, a, "b")):
            assert out_of[egress[into[here]]] == there
            assert switch_port[here] == int(row[f"switch_port_{end}"])
            assert placement[int(row[f"process_{end}"])] == here[0]
            assert int(row[f"group_{end}"]) == here[0] // design.network.family.nodes_per_group
        found.append((a[0], b[0]))
    assert tuple(found) == design.circuits.pairs


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
        (HEADER.replace("node_b", "to") + "\n0,0,0,4,0,0,1\n", "no header; expected columns node_a and node_b"),
        ("node_a,node_b\n0\n", "no two nodes in a line"),
        ("node_a,node_b\n0,4.5\n", "no two nodes in a line"),
    ],
)
def test_a_file_without_a_header_or_two_nodes_in_a_line_is_rejected(tmp_path, text, message):
    require_refusal(lambda: read(tmp_path, text), f"given.csv: {message}")
