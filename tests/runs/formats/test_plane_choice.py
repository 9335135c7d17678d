"""The plane choice as a rule, a table, source routes and one way for each pair, against the lengths of all routes."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, dual_cube
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import with_empty_queues
from isoplane.runs.exports.exporters.simgrid.route_lines import single_ways
from isoplane.runs.exports.pair_ways import number_rows
from tests.cases import for_each, require_refusal
from tests.strategies import bases_up_to

from .copies import rows as cable_rows
from .infiniband.networks import MORE_NETWORKS, NETWORKS, of
from .infiniband.subnets import exported

CUBES = {
    "plain": lambda: dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2),
    "folded": lambda: dual_cube(3, (3, 5, 7), folded=True, nodes_per_switch=2),
}
NAMES = ("cubes", "folded_cubes", "oft", "two_links", "partly_attached", "up_down")


def shares(network, source, destination):
    """The share of each way of a pair, nearest: the shortest of all planes and links, in equal parts."""
    lengths = {}
    for number, plane in enumerate(network.planes):
        for a in range(int(plane.starts[source]), int(plane.starts[source + 1])):
            for b in range(int(plane.starts[destination]), int(plane.starts[destination + 1])):
                start, _ = network.route_links([a], [b], number)
                lengths[number, a - int(plane.starts[source]), b - int(plane.starts[destination])] = int(start[1])
    nearest = [way for way, length in lengths.items() if length == min(lengths.values())]
    return {way: Fraction(1, len(nearest)) for way in nearest}


def rows(path):
    with path.open(encoding="utf-8") as file:
        return [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]


@for_each("name", NAMES)
def test_the_table_has_the_nearest_ways_of_all_pairs(name, tmp_path):
    network = {**NETWORKS, **MORE_NETWORKS}[name]()
    links = np.array([np.diff(plane.starts) for plane in network.planes])
    before = np.cumsum(links, axis=0) - links  # rails of earlier planes
    found = {}
    (tmp_path / name).mkdir()
    for row in rows(exported(network, tmp_path / name, "plane_table") / "planes.csv"):
        source, destination, plane = row["source"], row["destination"], row["plane"]
        way = (
            plane,
            row["source_rail"] - 1 - int(before[plane, source]),
            row["destination_rail"] - 1 - int(before[plane, destination]),
        )
        ways = found.setdefault((source, destination), {})
        assert way not in ways
        ways[way] = Fraction(row["weight"], row["denominator"])
    pairs = [(a, b) for a in range(network.nodes) for b in range(network.nodes) if a != b]
    assert list(found) == pairs  # ascending
    assert found == {pair: shares(network, *pair) for pair in pairs}


@for_each("name", NAMES)
def test_a_packet_that_takes_the_listed_ports_arrives_on_the_listed_ways(name, tmp_path):
    network = {**NETWORKS, **MORE_NETWORKS}[name]()
    peers = {}
    for plane, switch, port, to_node, other, other_port, _ in cable_rows(network):
        far = ("node", other) if to_node else (plane, other)
        peers[plane, switch, port] = far, other_port
        peers[(*far, other_port) if not to_node else ("node", other, other_port)] = (plane, switch), port
    for folder in ("routes", "table"):
        (tmp_path / name / folder).mkdir(parents=True)
    table = rows(exported(network, tmp_path / name / "table", "plane_table") / "planes.csv")
    routes = exported(network, tmp_path / name / "routes", "source_routes") / "routes.csv"
    lines = routes.read_text().splitlines()[1:]
    assert len(lines) == len(table)
    for line, row in zip(lines, table, strict=True):
        source, destination, rail, ports = line.split(",")
        assert (int(source), int(destination), int(rail)) == (row["source"], row["destination"], row["source_rail"])
        device = peers["node", int(source), int(rail)][0]
        assert device[0] == row["plane"]
        for port in ports.split():
            device, at = peers[(*device, int(port))]
        assert (device, at) == (("node", int(destination)), row["destination_rail"])


@for_each("name", CUBES)
def test_the_rule_gives_the_planes_of_the_table(name, tmp_path):
    network = CUBES[name]()
    (tmp_path / name / "rule").mkdir(parents=True)
    rule = json.loads((exported(network, tmp_path / name / "rule", "plane_rule") / "rule.json").read_text())
    table = {}
    for row in rows(exported(network, tmp_path / name, "plane_table") / "planes.csv"):
        table.setdefault((row["source"], row["destination"]), []).append(row["plane"])
    for (source, destination), planes in table.items():
        x = (source // rule["nodes_per_switch"]) ^ (destination // rule["nodes_per_switch"])
        weights = [sum((row & x).bit_count() % 2 for row in plane["rows"]) for plane in rule["planes"]]
        distances = [min(w, rule["n"] + 1 - w) if rule["folded"] else w for w in weights]
        assert planes == [plane for plane, distance in enumerate(distances) if distance == min(distances)]


def test_spray_uses_all_planes_and_shares_their_proportions(tmp_path):
    plane = NETWORKS["fat_tree"]().family
    for policy, expected in (("spray", [(1, 2), (1, 2)]), ("adaptive", [(1, 2), (1, 2)]), ((3, 1), [(3, 4), (1, 4)])):
        folder = tmp_path / str(policy)
        folder.mkdir()
        network = of("multi_plane", plane=plane, planes=2, policy=policy)
        found = rows(exported(network, folder, "plane_table") / "planes.csv")
        assert len(found) == 2 * network.nodes * (network.nodes - 1)
        assert {(row["plane"], row["weight"], row["denominator"]) for row in found} == {
            (number, *share) for number, share in enumerate(expected)
        }


def test_what_a_format_cannot_express_is_refused(tmp_path):
    large = of("mesh", shape=(64, 33), assumed_cable_m=1.0)
    instead = {
        "plane_table": "2112 nodes; expected at most 2048, or format=plane_rule for planes of cubes",
        "source_routes": "2112 nodes; expected at most 1024, because there is a line for each pair",
    }
    for name, message in instead.items():
        require_refusal(partial(exported, large, tmp_path, name), f"^format={name}: {message}$")
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(-1, 120), st.integers(-1, 9)), min_size=1, max_size=30))
def test_rows_of_numbers_are_those_of_python(numbers):
    columns = [("", 0), (",", 1), (" ", 2)]
    expected = "".join(
        str(row[0]) + "".join(f"{mark}{row[at]}" for mark, at in columns[1:] if row[at] >= 0) + "\n" for row in numbers
    )
    array = np.array(numbers)
    assert number_rows([(mark, array[:, at]) for mark, at in columns]) == expected.encode()


policies = st.one_of(
    st.sampled_from(["nearest", "spray", "adaptive", "spill"]),
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any),
)
cubes = st.builds(
    lambda basis, per_switch: dual_cube(basis.n, basis.generators, nodes_per_switch=per_switch, layout=None),
    bases_up_to(4),
    st.integers(1, 2),
)
trees = st.builds(
    lambda links: Network(MultiPlane(plane=HyperX(shape=(2, 3), nodes_per_switch=4), links_per_node=links)),
    st.sampled_from([1, 2, 4]),
)


def ways_by_pair(network, source, destination):
    """Return the ways of each pair with their shares, in the order of plane, source link and destination link."""
    ways = paths_between(network, source, destination, with_empty_queues(network.policy))
    found = [[] for _ in source]
    for pair, plane, first, last, weight, denominator in sorted(
        zip(*(getattr(ways, name).tolist() for name in ways.__dataclass_fields__), strict=True)
    ):
        found[pair].append(((plane, first, last), Fraction(weight, denominator)))
    return found


@given(st.one_of(cubes, trees), policies, st.integers(0, 5))
@settings(max_examples=40)
def test_each_pair_takes_one_of_its_ways_in_turn(network, policy, turn):
    network = Network(replace(network.family, policy=policy), network.site)
    source, destination = np.divmod(np.arange(network.nodes**2), network.nodes)
    chosen = list(
        zip(*(each.tolist() for each in single_ways(network, source, destination, source + turn)), strict=True)
    )
    ways = ways_by_pair(network, source, destination)
    for node in range(network.nodes):
        rank = 0
        for pair in range(node * network.nodes, (node + 1) * network.nodes):
            shares = [share for _, share in ways[pair]]
            parts = int(np.lcm.reduce([share.denominator for share in shares]))
            tickets = [way for way, share in ways[pair] for _ in range(int(share * parts))]
            assert chosen[pair] == tickets[(node + turn + rank) % parts]
            rank += len(shares) > 1
