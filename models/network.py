"""Networks: planes over one set of nodes, and what surrounds them."""

from dataclasses import dataclass, field, replace

from .checks import check_int
from .connection_set import ConnectionSet
from .cube import Cube
from .errors import InputError
from .layout import Layout
from .prices import PriceList
from .switch import SwitchModel

MAX_PLANES = 2
MAX_NODES_PER_SWITCH = 1024


@dataclass(frozen=True)
class Network:
    """One or more hypercube planes of the same size that connect the same nodes.

    Parameters
    ----------
    planes
        The planes, all plain or all folded and of one dimension. With two of them plane 0 has the unit basis.
    nodes_per_switch
        Nodes at each switch id; a node has its ports at the switch of the same id in every plane.
    ports_per_node
        Ports of a node in each plane: 1, or 2 in the Port-Aggregate baseline.
    layout
        The racks, or None to leave cables, delay and cost out.
    prices, switch
        The catalogue and the switch model.

    Raises
    ------
    InputError
        If the planes do not fit together.

    References
    ----------
    Hosomi et al. 2021, sections 1 and 2.1.

    Examples
    --------
    >>> dual_cube(3, (3, 5, 7)).nodes
    32
    """

    planes: tuple[Cube, ...]
    nodes_per_switch: int = 4
    ports_per_node: int = 1
    layout: Layout | None = field(default_factory=Layout)
    prices: PriceList = field(default_factory=PriceList)
    switch: SwitchModel = field(default_factory=SwitchModel)

    def __post_init__(self) -> None:
        check_int("network.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        check_int("network.ports_per_node", self.ports_per_node, 1, 2)
        check_int("network.planes", len(self.planes), 1, MAX_PLANES)
        if len({(plane.n, plane.folded) for plane in self.planes}) > 1:
            raise InputError("network.planes: allowed are planes of one dimension, all plain or all folded")
        if len(self.planes) > 1 and self.planes[0].connections != ConnectionSet.unit(self.n):
            raise InputError(
                f"network.planes: plane 0 is {list(self.planes[0].connections.generators)}; allowed is the unit basis"
            )

    @property
    def n(self) -> int:
        """Dimension of every plane."""
        return self.planes[0].n

    @property
    def folded(self) -> bool:
        """Whether the planes have folded links."""
        return self.planes[0].folded

    @property
    def family(self) -> str:
        """Return ``hypercube`` or ``folded_hypercube``."""
        return "folded_hypercube" if self.folded else "hypercube"

    @property
    def switches(self) -> int:
        """Switches of one plane, 2^n."""
        return 1 << self.n

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.switches * self.nodes_per_switch

    @property
    def ports_per_switch(self) -> int:
        """Ports that a switch uses, for links and for nodes."""
        return self.n + self.folded + self.nodes_per_switch * self.ports_per_node

    @property
    def node_ports(self) -> int:
        """Ports of a node over all planes."""
        return len(self.planes) * self.ports_per_node


def dual_cube(n: int, generators: tuple[int, ...], folded: bool = False, **surroundings: object) -> Network:
    """Return two planes: the unit basis, and the given generators.

    Parameters
    ----------
    n
        Dimension, 2..16.
    generators
        The basis of plane 1, without the folded link.
    folded
        Whether both planes are folded.
    **surroundings
        Other fields of `Network`.

    Examples
    --------
    >>> dual_cube(3, (3, 5, 7)).planes[1].links
    (3, 5, 7)
    """
    check_int("network.n", n, 2, 16)
    planes = (Cube(ConnectionSet.unit(n), folded), Cube(ConnectionSet.basis(n, generators), folded))
    return replace(Network(planes, layout=None), **({"layout": Layout()} | surroundings))  # type: ignore[arg-type]  # fields by name


def identical_planes(network: Network) -> Network:
    """Return the paper's baseline D-HC or D-FHC: plane 0 twice."""
    return replace(network, planes=(network.planes[0], network.planes[0]))


def port_aggregate(network: Network) -> Network:
    """Return the Port-Aggregate baseline: one plane that takes both ports of every node.

    It has the same nodes and the same number of switches for each rack as the dual-plane network: dimension n+1, half
    as many nodes at each switch, both ports of a node at one switch. A rack holds the switches that held two planes.

    Raises
    ------
    InputError
        If the nodes of a switch cannot be halved.

    References
    ----------
    Hosomi et al. 2021, section 1.

    Examples
    --------
    >>> port_aggregate(dual_cube(8, tuple(1 << i for i in range(8)))).n
    9
    """
    if network.nodes_per_switch % 2:
        raise InputError(
            f"network.nodes_per_switch={network.nodes_per_switch}: allowed for Port-Aggregate is an even number"
        )
    layout = network.layout
    return replace(
        network,
        planes=(Cube(ConnectionSet.unit(network.n + 1), network.folded),),
        nodes_per_switch=network.nodes_per_switch // 2,
        ports_per_node=2,
        layout=layout and replace(layout, switches_per_rack=2 * layout.switches_per_rack),
    )
