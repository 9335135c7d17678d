"""Minimal sizes for a number of nodes and ports, against an enumeration of all sizes."""

from itertools import combinations_with_replacement, islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import cube_planes, dual_cube, family_named, family_names
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus

SIZED = ("fat_tree", "folded_hypercube", "hypercube", "mesh", "rdt", "torus")


def parameters(family):
    """Return the size parameters of a member; sides of a grid are padded with ones."""
    if isinstance(family, Torus | Mesh):
        return (*family.shape, *[1] * (24 - len(family.shape)), family.nodes_per_switch)
    if isinstance(family, RecursiveDiagonalTorus):
        return (family.side, family.nodes_per_switch)
    if isinstance(family, FatTree):
        return (family.switch_ports,)
    return (family.n, family.nodes_per_switch)


def members(name, largest):
    """Return all members of a family with small parameters."""
    cls, counts = family_named(name), range(1, largest + 1)
    if name in ("torus", "mesh"):
        shapes = [s[::-1] for d in (1, 2, 3, 4) for s in combinations_with_replacement(range(2, largest + 2), d)]
        return [cls(shape=shape, nodes_per_switch=n, node_cable_m=2.0) for shape, n in product(shapes, counts)]
    if name == "rdt":
        return [cls(side=side, nodes_per_switch=n, node_cable_m=2.0) for side, n in product((4, 8, 12, 16), counts)]
    if name == "fat_tree":
        return [cls(switch_ports=k) for k in range(2, 2 * largest, 2)]
    folded = name == "folded_hypercube"
    cubes = {n: dual_cube(n, tuple(1 << i for i in range(n)), folded).cubes.planes for n in range(2, 8)}
    return [cube_planes(planes, n) for planes, n in product(cubes.values(), counts)]


MEMBERS = {name: members(name, 8) for name in SIZED}


@pytest.mark.parametrize("name", SIZED)
@given(st.integers(1, 5000), st.integers(1, 48))
def test_every_size_reaches_the_nodes_within_the_ports_and_sizes_are_sorted_by_switches(name, nodes, ports):
    found = list(islice(family_named(name).fitting(nodes, ports), 20))
    assert all(member.nodes >= nodes and member.ports <= ports for member in found)
    assert [member.switches for member in found] == sorted(member.switches for member in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", SIZED)
@given(st.integers(1, 40), st.integers(1, 14))
def test_sizes_are_exactly_the_minimal_ones(name, nodes, ports):
    found = [parameters(member) for member in family_named(name).fitting(nodes, ports)]

    def covered(sizes, others):
        return any(all(a >= b for a, b in zip(sizes, other, strict=True)) for other in others)

    for member in MEMBERS[name]:
        if member.nodes >= nodes and member.ports <= ports:
            assert covered(parameters(member), found), member
    assert not any(covered(sizes, [other for other in found if other != sizes]) for sizes in found)


@pytest.mark.parametrize("name", sorted(set(family_names()) - set(SIZED)))
def test_families_without_sizes_yield_none(name):
    assert list(family_named(name).fitting(10, 1000)) == []


def test_no_size_fits_if_ports_are_too_few():
    assert list(FatTree.fitting(1500, 16)) == []  # 16³ / 4 = 1024
    assert list(family_named("hypercube").fitting(3000, 10)) == []  # 2^9 · 1 = 2^8 · 2 = 512 nodes at most
