"""Isomorphism classes of networks of three planes, and their rejection by evaluators for two planes."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, InputError, Network, Site, cube_planes, dual_cube
from isoplane.models.cubes.canonical import canonical_form, joint_canonical_form
from isoplane.objectives import exact_metrics
from isoplane.objectives.reference import measure
from tests.cases import for_each
from tests.strategies import bases_up_to, random_basis


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
    routing_values = [planes[k].routing_values() for k in range(len(planes))]
    weights = [[int(value).bit_count() for value in values] for values in routing_values]
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
    bases = [base for base in (_basis(3, g) for g in product(range(1, 8), repeat=3)) if base]
    for one in bases[::5]:
        for two in bases[::7]:
            form = joint_canonical_form((unit, one, two), folded)
            sums.setdefault(form, set()).add(nearest_sum((unit, one, two), folded))
    assert len(sums) > 3
    assert all(len(each) == 1 for each in sums.values())


def _basis(n, generators):
    try:
        return ConnectionSet.basis(n, generators)
    except InputError:
        return None


@given(bases_up_to(5), bases_up_to(5), st.booleans())
def test_two_planes_have_the_same_joint_class_exactly_when_they_have_the_same_class(one, two, folded):
    unit = ConnectionSet.unit(one.n)
    if one.n == two.n:
        isomorphic = canonical_form(one, folded) == canonical_form(two, folded)
        assert (joint_canonical_form((unit, one), folded) == joint_canonical_form((unit, two), folded)) == isomorphic


def test_three_planes_are_rejected_by_evaluators_for_two():
    unit = Cube(ConnectionSet.unit(3))
    network = Network(cube_planes((unit, unit, dual_cube(3, (3, 5, 7)).family.planes[1])), Site(layout=None))
    for evaluate in (exact_metrics, measure):
        with pytest.raises(InputError, match=re.escape("network.planes=3: expected an integer from 1 to 2")):
            evaluate(network)
