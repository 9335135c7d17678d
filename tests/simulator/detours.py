"""Networks with detours, and adversarial traffic."""

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.simulator import Traffic
from isoplane.simulator.flits.regions import region_nodes

DRAGONFLY = Network(Dragonfly(switches_per_group=4, global_ports=2, groups=9, nodes_per_switch=2))  # 72 nodes
SELECTIONS = ("minimal", "valiant", "ugal")
OTHERS = [
    Network(HyperX(shape=(3, 3), nodes_per_switch=2, routing="shortest")),
    Network(PolarFly(q=2, nodes_per_switch=2)),
    Network(SlimFly(q=3, nodes_per_switch=2)),
    Network(Dragonfly(groups=4, arrangement="absolute")),  # two cables between groups
]
NAMES = [network.title for network in OTHERS]


def group_shift(network, offset=1, load=1.0, **settings):
    return Traffic("group_shift", load=load, group_nodes=region_nodes(network), offset=offset, **settings)
