"""Range check: the exact integers of a network must fit in the kernels' 64 bits."""

from isoplane.models import CableTable, DelayUnits, InputError

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
    switches, links = 1 << n, 2 * (n + folded)
    sum_of_distances, longest = n * switches // 2, int(table.length_mm.max())
    hops = units.cable_mm * longest + units.hop * switches
    delay = 2 * sum_of_distances * hops + 2 * units.endpoint * switches**2
    delay_paper = links * hops * sum_of_distances + units.endpoint * links * switches**2
    if max(delay, delay_paper) > LARGEST:
        raise InputError(
            f"switch: delays in steps of 1/{units.per_ns} ns are too fine for exact sums at n={n}; "
            "expected fewer decimals"
        )
