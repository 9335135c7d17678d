"""Topology of a cluster for Slurm: which nodes are near each other, by racks and rows of the floor, or by hops."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from string import digits

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.mathematics.occurrences import members
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.planes.plane import Cabling
from isoplane.models.policy import plane_weights, with_empty_queues

from ..exporter import Exported, Exporter, Files, as_bytes

TREES = ("racks", "distance")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{,253}")
CHILDREN = 8  # of a group by hops, at most
MAX_GROUPS = 4096  # of nodes at the same switches; memory grows with the square
LAYOUT_RACKS = (
    "slurm: racks and rows are those of the layout, not of the site, whose racks no file states; slurm_tree=distance "
    "has groups by cables, with the names of switches at the site"
)
FAR = np.iinfo(np.uint16).max

# Groups of nodes, groups of these groups, and so on up to one group: for each level, from the lowest, their names and
# the members of each, ascending: nodes, or groups of the level below. Each is a member of exactly one group.
NodeTree = list[tuple[list[str], list[Ints]]]


def files(exported: Exported) -> Files:
    """Yield the tree of ``slurm_tree`` in the format of all versions of Slurm, and in that of 25.05 and later."""
    kind = exported.option("slurm_tree")
    if kind not in TREES:
        raise InputError(f"slurm_tree={kind}: expected {', '.join(TREES)}")
    nodes = _node_names(exported)
    if kind == "racks":
        tree = rack_tree(exported.wired, exported.require_floor("slurm"))
        if exported.site_names:  # the racks of an existing fabric are in no file that imports read
            exported.notes.append(LAYOUT_RACKS)
    else:
        tree = _with_switches_of_site(distance_tree(exported.network), exported)
    yield "topology.conf", as_bytes(_conf_lines(tree, nodes))
    yield "topology.yaml", as_bytes(_yaml_lines(tree, nodes, kind))


def _node_names(exported: Exported) -> Sequence[str]:
    """Return what Slurm calls the nodes: their names, or N0, N1, ... if they have none.

    Raises
    ------
    InputError
        If Slurm cannot have a node of such a name.
    """
    ids = [node_name(node) for node in range(exported.network.nodes)]
    if not exported.site_names:
        return ids
    names = [exported.site_names[node] for node in ids]
    for node, name in enumerate(names):
        if not NAME.fullmatch(name):
            raise InputError(
                f"format=slurm: {name[:60]!r} is the name of {node_name(node)}; expected letters, digits, dots, dashes "
                "and underscores, beginning with a letter or digit: the name of a host in names.nodes of the fabric"
            )
    return names


def _with_switches_of_site(tree: NodeTree, exported: Exported) -> NodeTree:
    """Return a tree whose lowest groups are named like the switch in plane 0 at which all nodes of each are.

    They keep their names where nodes of a group are at several switches, or Slurm cannot have all of these names.
    """
    known, plane, ((_, lowest), *higher) = exported.site_names, exported.network.cabling[0], tree
    if not known or not np.diff(plane.starts).all():
        return tree
    switch = plane.node_switch[plane.starts[:-1]]
    if any((switch[nodes] != switch[nodes[0]]).any() for nodes in lowest):
        return tree
    names = [known[switch_name(0, int(switch[nodes[0]]))] for nodes in lowest]
    above = [level_names for level_names, _ in higher]
    is_allowed = len({*names, *chain(*above)}) == len(names) + sum(map(len, above)) and all(map(NAME.fullmatch, names))
    return [(names, lowest), *higher] if is_allowed else tree


def _conf_lines(tree: NodeTree, nodes: Sequence[str]) -> Iterator[str]:
    for level, name, listed in _groups(tree, nodes):
        yield f"SwitchName={name} {'Switches' if level else 'Nodes'}={listed}"


def _yaml_lines(tree: NodeTree, nodes: Sequence[str], kind: str) -> Iterator[str]:
    yield from (f"- topology: {kind}", "  cluster_default: true", "  tree:", "    switches:")
    for level, name, listed in _groups(tree, nodes):
        yield f"      - switch: {name}"
        yield f'        {"children" if level else "nodes"}: "{listed}"'


def _groups(tree: NodeTree, nodes: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the level of each group, its name and the list of its members."""
    below = list(nodes)
    for level, (names, groups) in enumerate(tree):
        for name, group in zip(names, groups, strict=True):
            yield level, name, host_list([below[member] for member in group.tolist()])
        below = names


def host_list(names: Sequence[str]) -> str:
    """Return names as Slurm writes them, in the given order: those that end in numbers as ranges.

    Examples
    --------
    >>> host_list(["N0", "N1", "N2", "N5"]), host_list(["R1-4", "R2-1", "R2-2"]), host_list(["n09", "n10", "login"])
    ('N[0-2,5]', 'R1-4,R2-[1-2]', 'n[09-10],login')
    """
    split = [(prefix := name.rstrip(digits), name[len(prefix) :]) for name in names]
    # A range of Slurm has numbers of one width if they have leading zeros: with these, each width is a range of its
    # own.
    padded = {prefix for prefix, number in split if number.startswith("0") and number != "0"}
    keys = [(prefix, len(number) if prefix in padded or not number else -1) for prefix, number in split]
    groups = groupby(zip(keys, split, strict=True), itemgetter(0))
    return ",".join(_ranges(prefix, [number for _, (_, number) in same]) for (prefix, _), same in groups)


def _ranges(prefix: str, numbers: list[str]) -> str:
    """Return numbers of a prefix, consecutive ones by the first and the last."""
    if len(numbers) == 1 or not numbers[0]:
        return ",".join(f"{prefix}{number}" for number in numbers)
    runs = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if int(number) != int(before) + 1:
            runs.append([])
        runs[-1].append(number)
    return f"{prefix}[{','.join(run[0] if len(run) == 1 else f'{run[0]}-{run[-1]}' for run in runs)}]"


def rack_tree(network: Network, floor: Floor) -> NodeTree:
    """Return the racks with nodes, the rows of several racks, and the floor.

    Racks and rows without nodes are left out.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(4, (3, 5, 9, 14), nodes_per_switch=1)  # four switches in each of four racks, in a row
    >>> tree = rack_tree(network, network.floor)
    >>> [names for names, _ in tree]
    [['R1-1', 'R1-2', 'R1-3', 'R1-4'], ['floor']]
    >>> [nodes.tolist() for nodes in tree[0][1]]
    [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    """
    links = np.sum([np.diff(plane.starts) for plane in network.cabling], axis=0)
    if not links.all():
        raise InputError(f"format=slurm: node {links.argmin()} has no link; expected a link of each node")
    used, rack = np.unique(floor.of_nodes, return_inverse=True)
    tree = [([floor.names[each] for each in used.tolist()], members(rack))]
    numbers, row = np.unique(floor.row[used], return_inverse=True)
    if 1 < len(numbers) < len(used):
        tree.append(([f"row{number}" for number in numbers.tolist()], members(row)))
    if len(tree[-1][1]) > 1:
        tree.append((["floor"], [np.arange(len(tree[-1][1]))]))
    return tree


def distance_tree(network: Network) -> NodeTree:
    """Return groups of nodes at the same switches, and groups of up to 8 groups near each other, level by level.

    The distance of two nodes is the number of cables between their switches in the nearest plane that carries packets.
    Groups of a level are formed one after the other, of equal sizes as far as possible: the lowest member that is left,
    and then each time the one with the least mean distance to those chosen, the lowest of several. Where every node has
    separate switches, the lowest groups are the first of several nodes.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> tree = distance_tree(Network(Torus(shape=(4, 4))))
    >>> [names for names, _ in tree], [nodes.tolist() for nodes in tree[0][1]]
    ([['level0-0', 'level0-1'], ['level1-0']], [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]])
    """
    rows = np.concatenate([_switch_rows(plane) for plane in network.cabling])
    _, first, group = np.unique(rows, axis=1, return_index=True, return_inverse=True)
    # np.unique numbers groups by their switches; they are to follow their first nodes.
    rank = np.argsort(np.argsort(first))
    if len(first) > MAX_GROUPS:
        raise InputError(
            f"slurm_tree=distance: {len(first)} groups of nodes at the same switches; expected at most {MAX_GROUPS}; "
            "allowed with slurm_tree=racks"
        )
    distances, counts = _distances(network, np.sort(first)), np.ones(len(first), dtype=np.int64)
    levels = [] if 1 < network.nodes == len(first) else [members(rank[group.ravel()])]
    while len(counts) > 1:
        parent = _near_groups(distances / (counts[:, None] * counts))
        levels.append(members(parent))
        order = np.argsort(parent, kind="stable")
        begins = np.searchsorted(parent[order], np.arange(parent.max() + 1))
        # Sums and not means, which groups of different sizes would weight wrongly.
        distances = np.add.reduceat(np.add.reduceat(distances[order][:, order], begins, axis=0), begins, axis=1)
        counts = np.add.reduceat(counts[order], begins)
    return [([f"level{level}-{group}" for group in range(len(groups))], groups) for level, groups in enumerate(levels)]


def _switch_rows(plane: Cabling) -> Ints:
    """Return the switches of the links of each node, ascending, as int64[links, nodes], padded with -1 in front."""
    rows = np.full((int(np.diff(plane.starts).max()), plane.nodes), -1, dtype=np.int64)
    rows[np.arange(len(plane.node)) - plane.starts[plane.node], plane.node] = plane.node_switch
    return np.sort(rows, axis=0)


def _distances(network: Network, nodes: Ints) -> Ints:
    """Return the distances between some nodes."""
    weights = plane_weights(with_empty_queues(network.policy), len(network.cabling))
    found = np.full((len(nodes), len(nodes)), FAR, dtype=np.uint16)
    for number, plane in enumerate(network.cabling):
        if weights is None or weights[number]:
            hops = np.pad(switch_hops(plane.topology), (0, 1), constant_values=FAR)  # -1, no switch, reads the last
            rows = _switch_rows(plane)[:, nodes]
            for a in rows:
                for b in rows:
                    np.minimum(found, hops[np.ix_(a, b)], out=found)
    return found.astype(np.int64)


def _near_groups(means: NDArray[np.float64]) -> Ints:
    """Return the group of each item, given the mean distances between all."""
    count = len(means)
    group = np.full(count, -1, dtype=np.int64)
    groups = -(-count // CHILDREN)
    for index in range(groups):
        total = np.zeros(count)
        for _ in range(count // groups + (index < count % groups)):
            (left,) = np.nonzero(group < 0)
            chosen = left[total[left].argmin()]
            group[chosen] = index
            total += means[chosen]
    return group


EXPORTER = Exporter("topology of Slurm", "Slurm", files)
