"""Cubes: bases of GF(2)^n, routes, classes of isomorphic cubes, and networks of several of them."""

from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    ConnectionSet,
    Cube,
    Layout,
    Network,
    canonical_form,
    dual_cube,
    port_aggregate,
)
from isoplane.models.cubes.canonical import joint_canonical_form
from isoplane.models.family_kinds.cube import has_kernels
from isoplane.models.mathematics.gf2 import coordinates_of_units, dependency, rank
from isoplane.models.routing import dimension_order, links_of_route
from isoplane.models.topologies import cube_topology
from tests.cases import for_each
from tests.models.families.test_every_family import read_back
from tests.strategies import bases, bases_up_to, permute_coordinates, random_basis


def test_routing_values_are_those_of_the_papers_table_1():
    connections = ConnectionSet.basis(3, (3, 5, 7))
    values = connections.routing_values()
    assert values.tolist() == [0, 7, 6, 1, 5, 2, 3, 4]
    assert [value.bit_count() for value in values.tolist()] == [0, 3, 2, 1, 2, 1, 2, 1]  # its distances at plane 1


@given(bases_up_to(9))
def test_the_generators_selected_by_a_routing_value_add_up_to_the_offset(connections):
    for offset, value in enumerate(connections.routing_values().tolist()):
        total = 0
        for k, generator in enumerate(connections.generators):
            total ^= generator * (value >> k & 1)
        assert total == offset


@given(bases_up_to(17))
def test_inversion_of_a_basis_is_an_involution(connections):
    inverse = coordinates_of_units(connections.generators)
    assert coordinates_of_units(inverse) == connections.generators
    assert connections.rank == connections.n


@given(st.lists(st.integers(0, 255), min_size=9, max_size=9))
def test_the_first_dependent_vector_is_the_sum_of_the_reported_earlier_ones(vectors):
    index, others = dependency(vectors)  # nine vectors of an 8-dimensional space are always dependent
    assert rank(vectors[:index]) == rank(vectors[: index + 1]) == index
    assert all(k < index for k in others)
    assert reduce(xor, (vectors[k] for k in others), 0) == vectors[index]


def test_a_set_with_fewer_generators_than_dimensions_has_lower_rank_and_is_not_a_basis():
    connections = ConnectionSet(4, (5, 6, 3))  # 6 = 3 ^ 5
    assert (connections.rank, connections.is_basis, connections.generators) == (2, False, (3, 5, 6))


def test_vectors_that_are_no_basis_have_no_inverse():
    for vectors, message in (
        ((3, 5, 6), r"\[3, 5, 6\] is not a basis of GF\(2\)\^3"),
        ((1, 6), r"not a basis of GF\(2\)\^2"),
    ):
        with pytest.raises(ValueError, match=message):
            coordinates_of_units(vectors)


def test_a_folded_route_of_more_than_half_the_links_takes_the_folded_link_and_then_the_complement():
    assert Cube(ConnectionSet.unit(4), folded=True).route(0b1101) == (4, 1)  # weight 3 > 5 / 2
    assert Cube(ConnectionSet.unit(3), folded=True).route(0b110) == (1, 2)  # weight 2 = 4 / 2


@given(bases_up_to(8), st.booleans())
def test_a_route_adds_up_to_its_offset_and_has_the_length_of_the_formula(connections, folded):
    cube = Cube(connections, folded)
    for offset, value in enumerate(connections.routing_values().tolist()):
        route = cube.route(value)
        reached = 0
        for link in route:
            reached ^= cube.links[link]
        weight = value.bit_count()
        assert reached == offset
        assert len(route) == (min(weight, cube.n + 1 - weight) if folded else weight)


@given(bases_up_to(7), st.booleans())
def test_port_k_leads_to_port_k_at_the_other_end_of_link_k(connections, folded):
    cube = Cube(connections, folded)
    topology = cube_topology(cube)
    for port, link in enumerate(cube.links):
        assert topology.peer[:, port].tolist() == [x ^ link for x in range(topology.switches)]
        assert set(topology.peer_port[:, port].tolist()) == {port}


@given(bases_up_to(7), st.booleans(), st.integers(0, 127))
def test_the_ports_are_those_of_the_cubes_route(connections, folded, source):
    cube = Cube(connections, folded)
    topology, routes = cube_topology(cube), dimension_order(cube)
    source %= topology.switches
    for offset, value in enumerate(connections.routing_values().tolist()):
        links = links_of_route(topology, routes, source, source ^ offset)
        assert tuple(port for _, port, _ in links) == cube.route(value)


def all_bases(n):
    return [s for g in combinations(range(1, 1 << n), n) if (s := ConnectionSet(n, g)).is_basis]


@for_each(
    ("n", "count", "plain", "folded"),
    [
        # |GL(n,2)| / n!: 6 / 2, 168 / 6, 20160 / 24
        (2, 3, 2, 1),
        (3, 28, 6, 6),  # odd n: the tie-breaking rule leaves only the plain symmetries
        (4, 840, 35, 6),
    ],
)
def test_the_number_of_classes_matches_burnsides_lemma(n, count, plain, folded):
    sets = all_bases(n)
    assert len(sets) == count
    assert len({canonical_form(s) for s in sets}) == plain
    assert len({canonical_form(s, folded=True) for s in sets}) == folded


@given(bases_up_to(10), st.booleans(), st.randoms(use_true_random=False))
def test_permuted_coordinates_or_generators_and_swapped_planes_are_in_the_same_class(connections, folded, rng):
    form = canonical_form(connections, folded)
    order = rng.sample(range(connections.n), connections.n)
    assert canonical_form(permute_coordinates(connections, order), folded) == form
    # Sorted generators hide their order; in the other plane's view it is the order of the coordinates.
    shuffled = rng.sample(connections.generators, connections.n)
    for generators in (connections.generators, shuffled):
        assert canonical_form(ConnectionSet(connections.n, coordinates_of_units(generators)), folded) == form


@given(st.sampled_from([2, 4, 6, 8, 10]).flatmap(bases), st.integers(0, 9))
def test_for_even_n_the_folded_link_is_equivalent_to_any_generator(connections, index):
    link = Cube(connections, folded=True).folded_link
    others = list(connections.generators)
    others[index % connections.n] = link
    assert canonical_form(ConnectionSet(connections.n, tuple(others)), True) == canonical_form(connections, True)


def image(matrix, vector):
    """Return the image of a vector under the linear map with the given columns."""
    value = 0
    for i, column in enumerate(matrix):
        value ^= column if vector >> i & 1 else 0
    return value


def relabelled(plane, matrix):
    return ConnectionSet.basis(plane.n, [image(matrix, generator) for generator in plane.generators])


def nearest_sum(planes, folded):
    """Return the sum over offsets of the least distance in any plane, from the definition alone."""
    n = planes[0].n
    weights = [[int(value).bit_count() for value in plane.routing_values()] for plane in planes]
    if folded:
        weights = [[min(weight, n + 1 - weight) for weight in plane] for plane in weights]
    return sum(map(min, zip(*weights, strict=True)))


@given(st.integers(2, 6), st.booleans(), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_reordered_planes_with_relabelled_switches_are_in_the_same_class(n, folded, seed, rng):
    planes = [random_basis(n, seed + k) for k in range(3)]
    matrix = random_basis(n, seed + 9).generators
    others = [relabelled(plane, matrix) for plane in planes]
    rng.shuffle(others)
    assert joint_canonical_form(planes, folded) == joint_canonical_form(others, folded)


@for_each("folded", [False, True])
def test_networks_of_three_planes_with_different_sums_are_in_different_classes(folded):
    unit, sums = ConnectionSet.unit(3), {}
    for one, two in combinations(all_bases(3), 2):
        form = joint_canonical_form((unit, one, two), folded)
        sums.setdefault(form, set()).add(nearest_sum((unit, one, two), folded))
    assert len(sums) > 3
    assert all(len(each) == 1 for each in sums.values())


@given(bases_up_to(5), bases_up_to(5), st.booleans())
def test_two_planes_have_the_same_joint_class_exactly_when_they_have_the_same_class(one, two, folded):
    unit = ConnectionSet.unit(one.n)
    if one.n == two.n:
        isomorphic = canonical_form(one, folded) == canonical_form(two, folded)
        assert (joint_canonical_form((unit, one), folded) == joint_canonical_form((unit, two), folded)) == isomorphic


UNIT_8 = tuple(1 << i for i in range(8))


@for_each(("folded", "ports", "family"), [(False, 12, "hypercube"), (True, 13, "folded_hypercube")])
def test_a_switch_uses_ports_for_its_links_and_for_its_nodes(folded, ports, family):
    network = dual_cube(8, UNIT_8, folded)
    assert (network.family.ports, network.family.node_ports, network.name) == (ports, 2, family)
    assert (network.family.plane_switches, network.nodes) == (256, 1024)


def test_the_default_layout_is_that_of_the_paper():
    assert dual_cube(3, (3, 5, 7)).site.layout == Layout()
    assert dual_cube(3, (3, 5, 7), layout=None).site.layout is None


@for_each("folded", [False, True])
def test_port_aggregate_has_the_same_nodes_switches_and_racks_in_one_plane(folded):
    dual = dual_cube(8, UNIT_8, folded)
    single = port_aggregate(dual)
    assert (single.family.n, single.family.folded, len(single.family.planes)) == (9, folded, 1)
    assert (single.nodes, single.family.switches, single.family.node_ports) == (1024, dual.family.switches, 2)
    assert single.site.layout.racks(512) == dual.site.layout.racks(256) == 64
    # 9 links and 2 nodes with 2 ports each, and the folded link
    assert single.family.ports == 13 + folded


def test_a_policy_distinguishes_otherwise_isomorphic_networks():
    nearest, isomorphic = dual_cube(3, (3, 5, 7)).family, dual_cube(3, (5, 6, 7)).family
    spray, isomorphic_spray = (replace(family, policy="spray") for family in (nearest, isomorphic))
    assert nearest.class_key() == isomorphic.class_key() != spray.class_key() == isomorphic_spray.class_key()
    assert replace(nearest, policy=(2, 1)).class_key() is None
    assert nearest.write()["network"].get("policy") is None
    for policy in ("spray", "adaptive", "spill", (2, 1)):
        family = replace(nearest, policy=policy)
        assert read_back(family) == family


def test_cube_kernels_apply_to_the_nearest_policy_only():
    family = dual_cube(3, (3, 5, 7)).family
    policies = ("nearest", "spray", "adaptive", "spill", (2, 1))
    assert [policy for policy in policies if has_kernels(Network(replace(family, policy=policy)))] == ["nearest"]
