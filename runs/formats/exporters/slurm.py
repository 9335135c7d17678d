"""Topology of a cluster for Slurm: which nodes are near each other."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import InputError

from ..exporter import Exported, Exporter, Files, as_bytes
from ..node_trees import NodeTree, distance_tree, rack_tree

TREES = ("racks", "distance")


def files(exported: Exported) -> Files:
    """Yield the tree of ``slurm_tree`` in the format of all versions of Slurm, and in that of 25.05 and later."""
    kind = exported.options.slurm_tree
    if kind not in TREES:
        raise InputError(f"slurm_tree={kind}: expected {', '.join(TREES)}")
    if kind == "racks":
        tree = rack_tree(exported.network, exported.require_layout("slurm"))
    else:
        tree = distance_tree(exported.network)
    yield "topology.conf", as_bytes(_conf_lines(tree))
    yield "topology.yaml", as_bytes(_yaml_lines(tree, kind))


def _conf_lines(tree: NodeTree) -> Iterator[str]:
    for level, groups in enumerate(tree.levels):
        key = "Switches" if level else "Nodes"
        for index, members in enumerate(groups):
            yield f"SwitchName={tree.names[level]}{index} {key}={host_list(_below(tree, level), members.tolist())}"


def _yaml_lines(tree: NodeTree, kind: str) -> Iterator[str]:
    yield from (f"- topology: {kind}", "  cluster_default: true", "  tree:", "    switches:")
    for level, groups in enumerate(tree.levels):
        key = "children" if level else "nodes"
        for index, members in enumerate(groups):
            yield f"      - switch: {tree.names[level]}{index}"
            yield f'        {key}: "{host_list(_below(tree, level), members.tolist())}"'


def _below(tree: NodeTree, level: int) -> str:
    return tree.names[level - 1] if level else "N"


def host_list(prefix: str, numbers: list[int]) -> str:
    """Return ascending numbers with a prefix as Slurm writes them.

    Examples
    --------
    >>> host_list("N", [0, 1, 2, 5]), host_list("N", [5]), host_list("N", [0, 1])
    ('N[0-2,5]', 'N5', 'N[0-1]')
    """
    if len(numbers) == 1:
        return f"{prefix}{numbers[0]}"
    values = np.array(numbers)
    (breaks,) = np.nonzero(np.diff(values) != 1)
    firsts, lasts = np.append(0, breaks + 1), np.append(breaks, len(values) - 1)
    ends = zip(values[firsts].tolist(), values[lasts].tolist(), strict=True)
    return f"{prefix}[{','.join(str(a) if a == b else f'{a}-{b}' for a, b in ends)}]"


EXPORTER = Exporter("topology of Slurm", "Slurm", files)
