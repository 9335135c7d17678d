from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Cube
from isoplane.models.routing import dimension_order, links_of_route
from isoplane.models.topologies import cube_topology
from tests.strategies import bases_up_to


@given(bases_up_to(7), st.booleans(), st.integers(0, 127))
def test_the_ports_are_those_of_the_cubes_route(connections, folded, source):
    cube = Cube(connections, folded)
    topology, routes = cube_topology(cube), dimension_order(cube)
    source %= topology.switches
    for offset, value in enumerate(connections.routing_values().tolist()):
        links = links_of_route(topology, routes, source, source ^ offset)
        assert tuple(port for _, port, _ in links) == cube.route(value)
