"""Several designs side by side, and what a printed design and comparison say beside their numbers."""

import isoplane as ip
from isoplane.models import Network, cube_planes
from isoplane.models.cubes.connection_set import ConnectionSet
from isoplane.models.cubes.cube import Cube
from isoplane.models.families.torus import Torus
from isoplane.objectives.general import general_exact, general_metrics

SMALL_CUBES = [
    cube_planes((Cube(ConnectionSet(len(basis), basis), folded) for basis in planes), nodes_per_switch, ports)
    for folded, planes, nodes_per_switch, ports in [
        (False, ((1, 2, 4), (3, 5, 7)), 4, 1),
        (False, ((1, 2, 4),), 3, 2),
        (True, ((1, 2, 4), (1, 3, 6)), 3, 1),
        (False, ((1, 2, 4, 8), (3, 5, 8, 15)), 1, 1),
        (True, ((1, 2, 4, 8, 16),), 7, 1),
    ]
]


def test_designs_of_several_families_have_nodes_and_throughput_in_common_and_factors_first():
    cubes = ip.evaluate(SMALL_CUBES)
    networks = [Network(family) for family in SMALL_CUBES]
    assert cubes.to_frame(dict)["nodes"] == [network.nodes for network in networks]
    walked = [general_metrics(network, general_exact(network)) for network in networks]
    assert cubes.to_frame(dict)["throughput_per_node"] == [each["throughput_per_node"] for each in walked]
    assert {"max_load", "max_traffic"} <= set(cubes.shown)
    torus = Torus(shape=(4, 4), ties="parity")
    product = "min longest_cable_m * switches"
    mixed = ip.evaluate([torus, SMALL_CUBES[0]], objective=product)
    assert mixed.shown[:5] == ("design", "nodes", product, "longest_cable_m", "switches")
    assert not {"max_load", "max_traffic"} & set(mixed.shown)
    said = "The designs have different numbers of nodes"
    assert [note.startswith(said) for note in mixed.notes].count(True) == 1
    assert not any(note.startswith(said) for note in ip.evaluate([torus, torus]).notes)


def test_a_printed_cube_has_its_connection_set_as_on_the_terminal():
    best = ip.find(network="hypercube", n=3, objective="aspl", stop={"evaluations": 100}).best
    generators = best.to_dict()["network"]["planes"][1]["generators"]
    line = f"plane 1: {' '.join(map(str, generators))}"
    assert str(best).splitlines()[1] == line
    assert f"<br>{line}</b>" in best._repr_html_()
    assert "\n" not in repr(best)


def test_families_without_a_design_share_a_line_for_each_reason():
    found = ip.compare(
        nodes=64, ports=9, families=["leaf_spine", "oft", "hyperx"], failures="none", throughput=[0.5, 0.9]
    )
    without = [row for row in found.to_dict()["rows"] if "design" not in row]
    heads = {row["reason"].partition(";")[0] for row in without}
    assert len(without) > len(heads)
    assert [sum(head in note for note in found.notes) for head in heads] == [1] * len(heads)
