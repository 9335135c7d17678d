"""Topology of a cluster for Slurm: which nodes are near each other."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from string import digits

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.device_names import node_name

from ..exporter import Exported, Exporter, Files, as_bytes
from ..node_trees import NodeTree, distance_tree, rack_tree

TREES = ("racks", "distance")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{,253}")


def files(exported: Exported) -> Files:
    """Yield the tree of ``slurm_tree`` in the format of all versions of Slurm, and in that of 25.05 and later."""
    kind = exported.option("slurm_tree")
    if kind not in TREES:
        raise InputError(f"slurm_tree={kind}: expected {', '.join(TREES)}")
    nodes = _node_names(exported.network)
    if kind == "racks":
        tree = rack_tree(exported.network, exported.require_floor("slurm"))
    else:
        tree = _with_switches_of_site(distance_tree(exported.network), exported.network)
    yield "topology.conf", as_bytes(_conf_lines(tree, nodes))
    yield "topology.yaml", as_bytes(_yaml_lines(tree, nodes, kind))


def _node_names(network: Network) -> Sequence[str]:
    """Return what Slurm calls the nodes: their names, or N0, N1, ... if they have none.

    Raises
    ------
    InputError
        If Slurm cannot have a node of such a name.
    """
    if network.family.names is None:
        return [node_name(node) for node in range(network.nodes)]
    for node, name in enumerate(network.family.names.nodes):
        if not NAME.fullmatch(name):
            raise InputError(
                f"format=slurm: {name[:60]!r} is the name of {node_name(node)}; expected letters, digits, dots, dashes "
                "and underscores, beginning with a letter or digit: the name of a host in names.nodes of the fabric"
            )
    return network.family.names.nodes


def _with_switches_of_site(tree: NodeTree, network: Network) -> NodeTree:
    """Return a tree whose lowest groups are named like the switch in plane 0 at which all nodes of each are.

    They keep their names where nodes of a group are at several switches, or Slurm cannot have all of these names.
    """
    known, plane, ((_, lowest), *higher) = network.family.names, network.cabling[0], tree
    if known is None or not np.diff(plane.starts).all():
        return tree
    switch = plane.node_switch[plane.starts[:-1]]
    if any((switch[nodes] != switch[nodes[0]]).any() for nodes in lowest):
        return tree
    names = [known.switches[0][int(switch[nodes[0]])] for nodes in lowest]
    above = [level_names for level_names, _ in higher]
    is_allowed = len({*names, *chain(*above)}) == len(names) + sum(map(len, above)) and all(map(NAME.fullmatch, names))
    return [(names, lowest), *higher] if is_allowed else tree


def _conf_lines(tree: NodeTree, nodes: Sequence[str]) -> Iterator[str]:
    for level, name, members in _groups(tree, nodes):
        yield f"SwitchName={name} {'Switches' if level else 'Nodes'}={members}"


def _yaml_lines(tree: NodeTree, nodes: Sequence[str], kind: str) -> Iterator[str]:
    yield from (f"- topology: {kind}", "  cluster_default: true", "  tree:", "    switches:")
    for level, name, members in _groups(tree, nodes):
        yield f"      - switch: {name}"
        yield f'        {"children" if level else "nodes"}: "{members}"'


def _groups(tree: NodeTree, nodes: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the level of each group, its name and the list of its members."""
    below = list(nodes)
    for level, (names, groups) in enumerate(tree):
        for name, members in zip(names, groups, strict=True):
            yield level, name, host_list([below[member] for member in members.tolist()])
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


EXPORTER = Exporter("topology of Slurm", "Slurm", files)
