"""Whether the exact integers of a network fit the 64 bits of the kernels."""

from isoplane.models import CableTable, DelayUnits, InputError

LARGEST = (1 << 63) - 1


def check_range(n: int, folded: bool, table: CableTable, units: DelayUnits) -> None:
    """Check that no design of a space has a delay beyond 64 bits, in its exact integer form.

    No sum of distances exceeds that of identical plain cubes, n · 2^(n-1), and no cable the longest of the table.

    Raises
    ------
    InputError
        If one could: the delays of the switch model are given too finely for cables that long.

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
