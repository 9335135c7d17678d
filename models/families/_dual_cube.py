"""Constructors of dual-plane cubes, and of the single-plane baseline."""

from collections.abc import Iterable
from dataclasses import replace

from ..checks import check_int
from ..cubes.connection_set import ConnectionSet
from ..cubes.cube import Cube
from ..errors import InputError
from ..family_kinds.cube import Cubes, cubes_of
from ..network import Network
from ..site.layout import Layout
from ..site.prices import PriceList
from ..site.site import Site
from ..site.switch_model import SwitchModel
from .folded_hypercube import FoldedHypercube
from .hypercube import Hypercube


def cube_planes(planes: Iterable[Cube], nodes_per_switch: int = 4, ports_per_node: int = 1) -> Cubes:
    """Return the family of the given cubes: folded hypercubes if the first one is folded."""
    cubes = tuple(planes)
    family = FoldedHypercube if cubes and cubes[0].folded else Hypercube
    return family(cubes, nodes_per_switch, ports_per_node)


def dual_cube(
    n: int,
    generators: Iterable[int],
    folded: bool = False,
    *,
    nodes_per_switch: int = 4,
    layout: Layout | None = Layout(),  # noqa: B008  # frozen
    prices: PriceList = PriceList(),  # noqa: B008
    switch: SwitchModel = SwitchModel(),  # noqa: B008
) -> Network:
    """Return a dual-plane network: the unit basis in plane 0, the given generators in plane 1.

    Parameters
    ----------
    n
        Dimension, 2..16.
    generators
        The basis of plane 1, without the folded link.
    folded
        Whether both planes are folded.
    nodes_per_switch
        As in `Cubes`.
    layout, prices, switch
        As in `Site`.

    Examples
    --------
    >>> dual_cube(3, (3, 5, 7)).family.planes[1].links
    (3, 5, 7)
    """
    check_int("network.n", n, 2, 16)
    connections = (ConnectionSet.unit(n), ConnectionSet.basis(n, tuple(generators)))
    return Network(
        cube_planes((Cube(connection_set, folded) for connection_set in connections), nodes_per_switch),
        Site(layout, prices, switch),
    )


def port_aggregate(network: Network) -> Network:
    """Return the Port-Aggregate baseline: one plane to which both ports of every node are connected.

    It has the same nodes and the same number of switches per rack as the dual-plane network: dimension n+1, half as
    many nodes per switch, both ports of a node at one switch. A rack holds the switches of both former planes.

    References
    ----------
    Hosomi et al. 2021, section 1.

    Examples
    --------
    >>> port_aggregate(dual_cube(8, tuple(1 << i for i in range(8)))).family.n
    9
    """
    cubes, layout = cubes_of(network), network.site.layout
    if cubes.nodes_per_switch % 2:
        raise InputError(
            f"network.nodes_per_switch={cubes.nodes_per_switch}: expected an even number for Port-Aggregate"
        )
    plane = Cube(ConnectionSet.unit(cubes.n + 1), cubes.folded)
    merged_layout = layout and replace(layout, switches_per_rack=2 * layout.switches_per_rack)
    return Network(
        cube_planes((plane,), cubes.nodes_per_switch // 2, ports_per_node=2),
        replace(network.site, layout=merged_layout),
    )
