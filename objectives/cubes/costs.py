"""Fixed cost of a network: everything except the cables between its switches."""

from isoplane.models import InputError, Network
from isoplane.models.checks import millimetres
from isoplane.models.family_kinds.cube import cubes_of


def fixed_cents(network: Network) -> int:
    """Return the price of all network interfaces, switches and node cables, in cents.

    nodes · (NIC + node ports · node cable) + switches · planes · price of a switch.

    Raises
    ------
    InputError
        If the network has no layout, or the catalogue lacks the interface, the cable or the switch.

    References
    ----------
    Hosomi et al. 2021, section 3.3.1.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> fixed_cents(dual_cube(8, tuple(1 << i for i in range(8)))) / 100 / 1024  # 485 + 310.28 * 12 * 2 / 4 + 2 * 134
    2614.68
    """
    if network.site.layout is None:
        raise InputError("layout=none: the cost needs a layout")
    _, node_cable = network.site.prices.cable_for_mm(
        millimetres("layout.node_cable_m", network.site.layout.node_cable_m)
    )
    cubes = cubes_of(network)
    node = network.site.prices.nic_cents(cubes.node_ports) + cubes.node_ports * node_cable
    _, switch = network.site.prices.switch_for(cubes.ports)
    return network.nodes * node + cubes.plane_switches * len(cubes.planes) * switch
