"""The largest exact integers of a network, which must fit in the kernels' 64 bits."""

from isoplane.models import CableTable, DelayUnits, InputError, Network, cable_table
from isoplane.models.family_kinds.cube import cubes_of

from .costs import fixed_cents
from .exact import longest_of_generators

LARGEST = (1 << 63) - 1


def check_range(n: int, folded: bool, table: CableTable, units: DelayUnits) -> None:
    """Check that the exact integer delay of every design of a space fits in 64 bits.

    No sum of distances exceeds n · 2^(n-1), that of identical plain cubes; no cable exceeds the longest in the table.

    Raises
    ------
    InputError
        If a delay could overflow: the delays of the switch model have too many decimals for these cable lengths.

    Examples
    --------
    >>> from isoplane.models import Layout, PriceList, SwitchModel, cable_table
    >>> check_range(12, False, cable_table(12, Layout(), PriceList()), SwitchModel().units())
    """
    delay, delay_paper = _largest_delays(n, folded, table, units)
    if max(delay, delay_paper) > LARGEST:
        raise InputError(
            f"switch: delays in steps of 1/{units.per_ns} ns are too fine for exact sums at n={n}; "
            "expected fewer decimals"
        )


def largest_metrics(network: Network) -> dict[str, int]:
    """Return upper bounds of the exact integers of all designs with the size, family and site of two planes of cubes.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> largest = largest_metrics(dual_cube(3, (3, 5, 7), layout=None))
    >>> largest["sum_of_distances"], largest["max_load"], largest["diameter"]
    (12, 16, 3)
    """
    cubes, site = cubes_of(network), network.site
    n, switches, links = cubes.n, cubes.plane_switches, 2 * (cubes.n + cubes.folded)
    hops, longest = n * switches // 2, max(n, 3)
    largest = {
        "sum_of_distances": hops, "max_load": 2 * switches, "diameter": n,
        "cable_fault_diameter": longest, "switch_fault_diameter": n, "cable_fault_hops": switches * hops + 4,
    }  # fmt: skip
    if site.layout is None:
        return largest
    table = cable_table(n, site.layout, site.prices)
    delay, delay_paper = _largest_delays(n, cubes.folded, table, network.delay_units)
    far = 2 * switches  # of switches without a path
    return largest | {
        "rack_fault_diameter": far,
        "rack_fault_aspl": far * 10**9,
        "cable_length": links * int(table.length_mm.max()),
        "delay": delay,
        "delay_paper": delay_paper,
        "cost": fixed_cents(network) + links * int(table.price_cents.max()),
        "longest_cable": int(longest_of_generators(network).max()),
    }


def _largest_delays(n: int, folded: bool, table: CableTable, units: DelayUnits) -> tuple[int, int]:
    """Return upper bounds of the delay over the real routes, and by the published formula."""
    switches, links = 1 << n, 2 * (n + folded)
    sum_of_distances, longest = n * switches // 2, int(table.length_mm.max())
    hops = units.cable_mm * longest + units.hop * switches
    delay = 2 * sum_of_distances * hops + 2 * units.endpoint * switches**2
    return delay, links * hops * sum_of_distances + units.endpoint * links * switches**2
