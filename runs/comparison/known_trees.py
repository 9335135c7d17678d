"""Which tree a plane of a fabric may be, read from its levels, or which one it resembles, and what differs."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from isoplane.models import Family, InputError, Network
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.files.exact_text import counted
from isoplane.models.mathematics.occurrences import occurrences
from isoplane.models.network import NO_SITE
from isoplane.models.topologies.tree_levels import tree_levels, tree_shape
from isoplane.models.topologies.xgft import Shape, level_sizes
from isoplane.runs.inputs.named_families import sized_families

from .sizes.option_words import option_words
from .sizes.plane_counts import sized

MAX_ASKEW = 10  # of as many cables, one may be within a level or past one in what resembles a tree


def trees_of(plane: Fabric) -> list[tuple[Fabric, Family]]:
    """Return the trees with the levels of a plane, the most likely first, each with the plane filled with its nodes."""
    found = []
    for shape, level in _shapes(plane):
        nodes = _nodes(plane)
        if level_sizes(*shape[:2]) == np.bincount(level).tolist() and not nodes[level > 0].any():
            for member in _members(shape, plane):
                at_leaf = member.nodes // np.count_nonzero(level == 0)
                found.append((with_places(plane, np.repeat(np.flatnonzero(level == 0), at_leaf)), member))
    # One without free places first, then the most special family.
    return sorted(found, key=lambda tree: (tree[1].nodes != plane.nodes, size_numbers(tree[1]), tree[1].nodes))


def resemblance(plane: Fabric, names: Sequence[str]) -> str | None:
    """Return in words which tree a plane resembles, and what differs; None if it is unlike any."""
    near: list[tuple[int, int, Family, Shape, Ints]] = []
    for shape, level in _shapes(plane):
        members = [member for member in _members(shape, plane) if _is_alike(plane, member, shape, level)]
        if members:
            member = min(members, key=size_numbers)
            apart = abs(member.cables - plane.cables) + abs(member.switches - plane.switches)
            near.append((apart, len(near), member, shape, level))
    if not near:
        return None
    *_, member, shape, level = min(near, key=lambda tree: tree[:2])
    differences = list(_differences(plane, shape, level, names)) or ["cabled otherwise"]
    return f"most like {named(member)}, but {'; '.join(differences)}"


def _shapes(plane: Fabric) -> Iterator[tuple[Shape, Ints]]:
    (cabling,) = Network(plane, NO_SITE).cabling
    nodes = _nodes(plane)
    for level in tree_levels(cabling.topology, nodes):
        yield tree_shape(cabling.topology, nodes, level), level


def _members(shape: Shape, plane: Fabric) -> Iterator[Family]:
    """Yield the members of families that are a tree; with more places at a leaf if less than half of all are free."""
    for name in sized_families():
        member = None
        with suppress(InputError):  # too large for the family
            member = sized(name).of_tree(shape)
        if member is not None and (member.nodes_at_switch == shape[0][0] or member.nodes < 2 * plane.nodes):
            yield member


def _is_alike(plane: Fabric, member: Family, shape: Shape, level: Ints) -> bool:
    """Whether about half to twice the cables and switches of each level are those of a tree, most between levels."""
    pairs = [(plane.cables, member.cables), *zip(np.bincount(level), level_sizes(*shape[:2]), strict=True)]
    is_close = all(2 * low > high for low, high in map(sorted, pairs))
    return is_close and MAX_ASKEW * len(_askew(plane, level)) <= plane.cables


def _differences(plane: Fabric, shape: Shape, level: Ints, names: Sequence[str]) -> Iterator[str]:
    children, parents, cables = shape
    for height, expected in enumerate(level_sizes(children, parents)):
        found = int(np.count_nonzero(level == height))
        if found != expected:
            yield f"{counted(found, 'switch')} at level {height + 1}, not {expected}"
    down = [0, *(count * parallel for count, parallel in zip(children[1:], cables[1:], strict=True))]
    up = [*(count * parallel for count, parallel in zip(parents[1:], cables[1:], strict=True)), 0]
    wanted = np.add(down, up)[level]
    has = np.bincount(_ends(plane).ravel(), minlength=plane.switches)
    others = np.flatnonzero(has != wanted)
    if len(others):
        first = others[0]
        having = "has another number" if len(others) == 1 else "have other numbers"
        example = f"{names[first]} ({has[first]}, not {wanted[first]})"
        yield f"{counted(len(others), 'switch')} {having} of cables, such as {example}"
    askew = _askew(plane, level)
    if len(askew):
        a, b = askew[0]
        yield f"{counted(len(askew), 'cable')} within a level or past one, such as {names[a]} to {names[b]}"
    nodes = np.where(level > 0, _nodes(plane), 0)
    if nodes.any():
        yield f"{counted(int(nodes.sum()), 'node')} above the leaves, such as at {names[int(nodes.argmax())]}"


def _askew(plane: Fabric, level: Ints) -> Ints:
    """Return the ends of cables that do not lead from a level to the next."""
    ends = _ends(plane)
    is_askew = np.abs(level[ends[:, 0]] - level[ends[:, 1]]) != 1
    return np.compress(is_askew, ends, axis=0)


def _ends(plane: Fabric) -> Ints:
    return np.array(plane.planes[0].cables, dtype=np.int64).reshape(-1, 4)[:, [0, 2]]


def _nodes(plane: Fabric) -> Ints:
    return np.bincount(plane.planes[0].node_switch, minlength=plane.switches)


def with_places(plane: Fabric, switch: Ints, ends: Ints | None = None) -> Fabric:
    """Return a plane with nodes at these switches, and with its cables or those between these pairs of switches."""
    ends = _ends(plane) if ends is None else ends
    port, cables = occurrences(ends.ravel()).reshape(-1, 2) + 1, np.bincount(ends.ravel(), minlength=plane.switches)
    cabled = np.stack([ends[:, 0], port[:, 0], ends[:, 1], port[:, 1]], axis=1)
    links = rows_of(np.arange(len(switch)), switch, cables[switch] + occurrences(switch) + 1)
    full = FabricPlane(switches=plane.switches, cables=tuple(rows_of(*cabled.T)), nodes=tuple(links))
    return replace(plane, planes=(full,))


def size_numbers(family: Family) -> int:
    """Return how many numbers name a member: fewer for a more special family."""
    return len(re.findall("[0-9]+", family.title))


def named(member: Family) -> str:
    """Return a member with the options that give it."""
    return f"{member.title} ({option_words(member)})"
