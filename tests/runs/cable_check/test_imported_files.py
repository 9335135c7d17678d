"""Checks of files that are no listings of InfiniBand: what imports read, and what they write."""

import random
from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.runs.cable_check.check import check_cables
from isoplane.runs.cable_check.fabric_file import fabric_in
from isoplane.runs.cable_check.sentences import text_lines
from tests.cases import for_each, require_refusal
from tests.runs.formats.exported import NETWORKS, exported, texts
from tests.runs.formats.fabrics import discovery_text

from .samples import cables_by_plane, checked, imported_network, swap


def check(network, path, **options):
    return check_cables(network, [path.name], [fabric_in("found", path)], **options)


def graphml(cables):
    """GraphML of cables; nodes are known by their names."""
    names = {device for ends in cables for device, _ in ends}
    keys = [f'<key id="{key}" for="edge" attr.name="{key}" attr.type="int"/>' for key in ("source_port", "target_port")]
    vertices = [f'<node id="{name}"/>' for name in names]
    edges = [
        f'<edge source="{a}" target="{b}"><data key="source_port">{port}</data>'
        f'<data key="target_port">{other}</data></edge>'
        for (a, port), (b, other) in cables
    ]
    graph = "\n".join([*vertices, *edges])
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{"".join(keys)}<graph>{graph}</graph></graphml>'


@for_each("name", list(NETWORKS))
def test_an_exported_graph_agrees_with_its_design(tmp_path, name):
    network, path = NETWORKS[name], tmp_path / "network.graphml"
    (text,) = texts("graphml", exported(network)).values()
    path.write_text(text)
    found = check(network, path)
    assert found.agrees
    links = network.nodes if network.node_cable_mm is None else 0  # within the nodes of a direct network
    assert found.agreeing == sum(map(len, cables_by_plane(network))) + links


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(["cube", "torus", "tree"]), st.integers(1, 3), st.integers(0, 1 << 30))
def test_a_graph_has_the_differences_of_a_listing_of_the_same_cables(tmp_path_factory, name, swaps, seed):
    network, rng = NETWORKS[name], random.Random(seed)
    planes = cables_by_plane(network)
    for _ in range(swaps):
        swap(rng.choice(planes), rng)
    cables = [*chain(*planes)]
    if any({a[0][0], b[0][0]} == {"N"} for a, b in cables):
        return  # a cable between nodes is no part of a graph
    folder = tmp_path_factory.mktemp("graph")
    path = folder / "found.graphml"
    path.write_text(graphml(cables))
    found, listed = check(network, path), checked(network, planes)
    assert found.moves == listed.moves
    assert list(text_lines(found, "x")) == list(text_lines(listed, "x"))


def test_an_edge_list_has_no_ports_and_is_checked_without(tmp_path):
    network, path = NETWORKS["torus"], tmp_path / "found.edges"
    ((*others, ((a, _), (b, _))),) = cables_by_plane(network)
    path.write_text("\n".join(f"{one} {other}" for (one, _), (other, _) in [*others, ((a, 0), (b, 0))]))
    require_refusal(lambda: check(network, path), "found=found.edges: line 1: no port of P0-S0; expected numbers of p")
    assert check(network, path, ports="ignore").agrees
    path.write_text(f"{path.read_text()}\nP0-S0 P0-S0")
    assert [each.kind for each in check(network, path, ports="ignore").differences] == ["extra"]
    path.write_text("\n".join(f"{one} {other}" for (one, _), (other, _) in others))
    found = check(network, path, ports="ignore")
    assert [each.kind for each in found.differences] + [index for index, *_ in found.absent] != []
    assert {end.port for end in map(found.found_end, found.found_ports)} == {None}


def test_the_file_of_an_import_agrees_with_the_fabric_and_with_the_design_that_was_listed(tmp_path):
    network = NETWORKS["rails"]
    planes = cables_by_plane(network)
    fabric, _ = imported_network(tmp_path / "site", [discovery_text(plane, ports=99) for plane in planes])
    path = tmp_path / "site" / "fabric.json"
    assert check(fabric, path).agrees
    assert check(network, path).agrees


@for_each(
    ("text", "message"),
    [
        ('{"schema": 1, "planes": []}', "JSON of another kind; expected fabric.json of isoplane import"),
        ('{"planes": []}', "found="),
        ("npus", "'npus'; expected the output of ibnetdiscover"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "found"
    path.write_text(text)
    require_refusal(lambda: fabric_in("found", path), message)
