from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Cube
from isoplane.models.topologies import cube_topology
from tests.strategies import bases_up_to


@given(bases_up_to(7), st.booleans())
def test_port_k_leads_to_port_k_at_the_other_end_of_link_k(connections, folded):
    cube = Cube(connections, folded)
    topology = cube_topology(cube)
    for port, link in enumerate(cube.links):
        assert topology.peer[:, port].tolist() == [x ^ link for x in range(topology.switches)]
        assert set(topology.peer_port[:, port].tolist()) == {port}
