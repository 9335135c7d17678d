"""Topology of a cluster for Slurm: which nodes are near each other."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from string import digits

import numpy as np

from isoplane.models import InputError
from isoplane.models.names import node_name

from ..exporter import Exported, Exporter, Files, as_bytes
from ..node_trees import NodeTree, distance_tree, rack_tree

TREES = ("racks", "distance")


def files(exported: Exported) -> Files:
    """Yield the tree of ``slurm_tree`` in the format of all versions of Slurm, and in that of 25.05 and later."""
    kind = exported.options.slurm_tree
    if kind not in TREES:
        raise InputError(f"slurm_tree={kind}: expected {', '.join(TREES)}")
    if kind == "racks":
        tree = rack_tree(exported.network, exported.require_floor("slurm"))
    else:
        tree = distance_tree(exported.network)
    yield "topology.conf", as_bytes(_conf_lines(tree))
    yield "topology.yaml", as_bytes(_yaml_lines(tree, kind))


def _conf_lines(tree: NodeTree) -> Iterator[str]:
    for level, name, members in _groups(tree):
        yield f"SwitchName={name} {'Switches' if level else 'Nodes'}={members}"


def _yaml_lines(tree: NodeTree, kind: str) -> Iterator[str]:
    yield from (f"- topology: {kind}", "  cluster_default: true", "  tree:", "    switches:")
    for level, name, members in _groups(tree):
        yield f"      - switch: {name}"
        yield f'        {"children" if level else "nodes"}: "{members}"'


def _groups(tree: NodeTree) -> Iterator[tuple[int, str, str]]:
    """Yield the level of each group, its name and the list of its members."""
    below = [node_name(node) for node in range(sum(map(len, tree.levels[0])))]
    for level, (names, groups) in enumerate(zip(tree.names, tree.levels, strict=True)):
        for name, members in zip(names, groups, strict=True):
            yield level, name, host_list([below[member] for member in members.tolist()])
        below = names


def host_list(names: Sequence[str]) -> str:
    """Return names that end in numbers as Slurm writes them, in the given order.

    Examples
    --------
    >>> host_list(["N0", "N1", "N2", "N5"]), host_list(["R1-4", "R2-1", "R2-2"])
    ('N[0-2,5]', 'R1-4,R2-[1-2]')
    """
    split = [(name.rstrip(digits), int(name[len(name.rstrip(digits)) :])) for name in names]
    return ",".join(_ranges(prefix, [number for _, number in same]) for prefix, same in groupby(split, itemgetter(0)))


def _ranges(prefix: str, numbers: list[int]) -> str:
    """Return ascending numbers with a prefix."""
    if len(numbers) == 1:
        return f"{prefix}{numbers[0]}"
    values = np.array(numbers)
    (breaks,) = np.nonzero(np.diff(values) != 1)
    firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(values) - 1)
    ends = zip(values[firsts].tolist(), values[lasts].tolist(), strict=True)
    return f"{prefix}[{','.join(str(a) if a == b else f'{a}-{b}' for a, b in ends)}]"


EXPORTER = Exporter("topology of Slurm", "Slurm", files)
