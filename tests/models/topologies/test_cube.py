import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube
from isoplane.models.topologies import cube_topology
from tests.models.graphs import graph_of
from tests.strategies import bases_up_to


@given(bases_up_to(7), st.booleans())
def test_port_k_leads_to_port_k_at_the_other_end_of_link_k(connections, folded):
    cube = Cube(connections, folded)
    topology = cube_topology(cube)
    for port, link in enumerate(cube.links):
        assert topology.peer[:, port].tolist() == [x ^ link for x in range(topology.switches)]
        assert set(topology.peer_port[:, port].tolist()) == {port}


@pytest.mark.parametrize(("n", "folded", "diameter"), [(8, False, 8), (12, False, 12), (8, True, 4), (9, True, 5)])
def test_cubes_have_the_diameters_of_the_formulas(n, folded, diameter):
    graph = graph_of(cube_topology(Cube(ConnectionSet.unit(n), folded)))
    assert set(graph.degree()) == {n + folded}
    assert graph.eccentricity(0) == diameter  # all switches are equivalent
