"""Computed numbers are compared only with the simulated ones that they predict."""

from types import SimpleNamespace

from isoplane.models import Network, dual_cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.runs.simulations import compared
from isoplane.simulator import Estimate, Hardware, Scenario, Traffic
from tests.cases import for_each

CUBE = dual_cube(3, (3, 5, 7))  # its links can carry a load of 31/24 per node


def rows(load, hardware=None, network=CUBE, throughput=None, **traffic):
    """The titles and computed numbers in the comparison of a run at this load."""
    scenario = Scenario(network, hardware or Hardware(), Traffic(load=1, **traffic))
    report = SimpleNamespace(stable=True, offered_load=load, network_latency_ns=Estimate(240.0, 1.0))
    saturation = None if throughput is None else SimpleNamespace(throughput=throughput)
    return [(quantity, computed) for quantity, _, _, computed in compared(network, scenario, [report], saturation)]


def test_a_latency_is_compared_up_to_a_quarter_of_the_load_that_the_links_can_carry():
    assert rows(0.32) == [  # 31/96 = 0.3229
        ("latency at load 0.32, against delay", 231.0),
        ("latency at load 0.32, against delay_paper", 231.0),
    ]
    assert rows(0.33) == []
    assert rows(0.2, message_bytes=(256, 256)) != []
    assert rows(0.2, message_bytes=(256, 257)) == []  # messages of several packets


@for_each(
    ("hardware", "note"),
    [
        # 2048 bits take 20.48 ns at 100 Gbit/s.
        (Hardware(packet_bits=8192), " (packets of 81.92 ns, not 20.48 ns)"),
        (Hardware(link_gbps=200), " (packets of 10.24 ns, not 20.48 ns)"),
        (Hardware(flow_control="store_and_forward"), " (store_and_forward)"),
        (Hardware(flow_control="wormhole"), ""),
    ],
)
def test_hardware_without_comparable_delays_is_noted(hardware, note):
    assert rows(0.2, hardware)[0][0] == f"latency at load 0.2{note}, against delay"


def test_a_throughput_is_compared_with_the_capacity_of_the_busiest_links():
    assert rows(1, throughput=1.2) == [("saturation throughput, against max_traffic of a node", 16 / 3 / 4)]
    square = dual_cube(2, (1, 2), nodes_per_switch=1)  # links between switches can carry 4 per node, those of a node 2
    assert rows(2, network=square, throughput=1.9) == [("saturation throughput, against the links of a node", 2.0)]


@for_each(("selection", "count"), [("minimal", 2), ("valiant", 0), ("ugal", 0)])
def test_detours_are_not_compared_with_metrics_of_minimal_routes(selection, count):
    found = rows(0.01, Hardware(path_selection=selection), Network(Dragonfly()), throughput=0.5)
    assert len(found) == count  # delay and throughput
