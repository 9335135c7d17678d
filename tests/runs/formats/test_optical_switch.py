"""Cross-connects of an optical switch: every port is used once, and light passes both ways of every circuit."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, InputError, Network, Placement
from isoplane.models.families.torus import Torus

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


def test_designs_without_circuits_are_rejected():
    with pytest.raises(InputError, match=r"format=optical_switch: network=torus has no optical switch; expected"):
        contents("optical_switch", Design(Network(Torus(shape=(3,)))))
