"""Which devices of a file without kinds are nodes."""

from random import Random

from isoplane.runs.imports.import_fabric import configured_fabric
from tests.cases import for_each, require_refusal

from .import_sources import planes_of

TREE = "leaf1 spine\nleaf2 spine\nleaf3 spine\nleaf1 N0\nleaf1 N1\nleaf2 N2\nleaf3 N3\nleaf3 N4\n"
HOSTS = ("alba", "bert", "cara", "dora", "emil")  # in the order of N0, N1, ...


def renamed(text):
    for number, name in enumerate(HOSTS):
        text = text.replace(f"N{number}", name)
    return text


def graphml(text):
    cables = [line.split() for line in text.splitlines()]
    vertices = "".join(f'<node id="{name}"/>' for name in sorted({name for ends in cables for name in ends}))
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in cables)
    return f"<graphml><graph>{vertices}{edges}</graph></graphml>"


@for_each("form", [str, graphml])
def test_devices_with_one_neighbour_are_nodes_whatever_their_names(form):
    expected = planes_of(form(TREE))[0]
    planes, fabric = planes_of(form(renamed(TREE)))
    assert planes == expected
    assert fabric.nodes == HOSTS
    assert "5 devices with one neighbour, such as alba, taken as nodes" in fabric.notes[0]
    assert planes_of(form(renamed(TREE)), node_names=["?l*", "[b-d]*", "emil"])[0] == expected


def test_nodes_with_links_to_several_switches_are_named_by_patterns():
    lines = [f"leaf{leaf} {name}" for name in HOSTS for leaf in (1, 2)] + [f"leaf{leaf} spine" for leaf in (1, 2)]
    Random(1).shuffle(lines)
    planes, fabric = planes_of("\n".join(lines), node_names=["*[a-d]", "*t", "emil"])
    assert fabric.nodes == HOSTS
    assert (planes[0].switches, len(planes[0].cables), len(planes[0].nodes)) == (3, 2, 10)
    assert planes_of("\n".join(lines))[0][0].switches == 8  # none has one neighbour


@for_each(
    ("text", "options"),
    [
        ("a b\nb c\n", {"nodes_per_switch": 1}),
        ("0 1\n1 2\n", {}),  # as export format=edges writes switches
        ("P0-S0 P0-S1\nP0-S1 P0-S2\n", {}),
    ],
)
def test_the_ends_of_a_path_of_switches_stay_switches(text, options):
    ((plane,), fabric) = planes_of(text, **options)
    assert (plane.switches, len(plane.nodes), fabric.nodes) == (3, 3, ("N0", "N1", "N2"))


def test_two_devices_are_switches_and_given_names_apply_before_those_of_exports():
    assert planes_of("a b\n")[0][0].switches == 2
    assert planes_of("a b\na N0\nb x\n", node_names=["x"])[0][0].switches == 3


@for_each(
    ("config", "message"),
    [
        ({"node_names": ["x*"]}, "node_names=x*: matches no device of tree.edges, such as alba"),
        ({"node_names": "*"}, "node_names=*: all devices of tree.edges are nodes; expected switches, too"),
        ({"node_names": []}, "node_names=[]: expected a pattern of names, or a list such as [host*,gpu*]"),
        ({"node_names": [3]}, "node_names=[3]: expected a pattern of names"),
        ({"node_names": "a*", "nodes_per_switch": 2}, "nodes_per_switch=2, node_names='a*': expected one of them"),
        ({"node_names": "a*", "file": "kinds.graphml"}, "node_names=a*: has no effect; allowed with files without"),
    ],
)
def test_names_without_effect_are_refused(config, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.edges").write_text(renamed(TREE))
    kinds = '<graphml><key id="k" for="node" attr.name="kind"/><graph><node id="a"><data key="k">node</data></node>'
    (tmp_path / "kinds.graphml").write_text(f'{kinds}<node id="b"/><edge source="a" target="b"/></graph></graphml>')
    defaults = dict.fromkeys(("kind", "tables", "names", "node_names", "nodes_per_switch", "link_gbps"))
    require_refusal(lambda: configured_fabric({**defaults, "file": "tree.edges", **config}), message)
