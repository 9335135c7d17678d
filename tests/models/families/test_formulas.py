"""Formulas of families match their planes; records of families are read back."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network, Site, cube_planes, dual_cube, family_named, family_names
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from tests.strategies import random_basis

shapes = st.lists(st.integers(2, 5), min_size=1, max_size=3).map(tuple)
attached = st.sampled_from([{}, {"nodes_per_switch": 3, "node_cable_m": 2}, {"node_cable_m": 0}])


def cubes(n, folded, nodes_per_switch):
    network = dual_cube(n, random_basis(n, n).generators, folded, nodes_per_switch=nodes_per_switch)
    return cube_planes(network.family.planes, nodes_per_switch)


def direct_hypercube(n, folded, more):
    return DirectHypercube(n=n, folded=folded, generators=random_basis(n, n).generators, **more)


families = st.one_of(
    st.builds(
        lambda shape, datelines, more: Torus(shape=shape, datelines=datelines, **more), shapes, st.booleans(), attached
    ),
    st.builds(lambda shape, more: Mesh(shape=shape, **more), shapes, attached),
    st.builds(lambda side, more: RecursiveDiagonalTorus(side=4 * side, **more), st.integers(1, 5), attached),
    st.builds(direct_hypercube, st.integers(2, 6), st.booleans(), attached),
    st.builds(cubes, st.integers(2, 6), st.booleans(), st.integers(1, 5)),
)


@given(families)
def test_formulas_match_the_planes(family):
    planes = Network(family, Site()).planes
    assert family.nodes == len(planes[0].node_switch)
    assert family.switches == sum(plane.topology.switches for plane in planes)
    assert family.cables == sum(int((plane.topology.peer >= 0).sum()) // 2 for plane in planes)
    used = []
    for plane in planes:
        cables = (plane.topology.peer >= 0).sum(axis=1)
        nodes = np.bincount(plane.node_switch, minlength=plane.topology.switches)
        used.append(int((cables + (0 if plane.node_cable_mm is None else nodes)).max()))
    assert family.ports == max(used)


@given(families)
def test_a_written_family_is_read_back(family):
    written = json.loads(json.dumps(family.write()))
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    assert family_named(keys.pop("family")).read(keys) == family


@given(families)
def test_networks_are_compared_hashed_and_pickled_by_family_and_site(family):
    network = Network(family, Site(layout=None))
    assert len(network.planes) >= 1
    other = pickle.loads(pickle.dumps(network))
    assert other == network
    assert hash(other) == hash(network)
    assert "planes" not in vars(other)
    assert Network(family, Site()) != network


@pytest.mark.parametrize("name", family_names())
def test_a_family_has_the_name_of_its_file(name):
    assert family_named(name).name == name
