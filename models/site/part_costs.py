"""What parts of a network cost at least, by which its sizes are ordered."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PartCosts:
    """The least cost of each switch and of each cable between switches; by default, cables are counted.

    Parameters
    ----------
    switch
        Cost of a switch, at least 0.
    cable
        Cost of a cable with its ports, at least 1.

    Examples
    --------
    >>> PartCosts().of(switches=4, cables=6), PartCosts(switch=10).of(4, 6)
    (6, 46)
    """

    switch: int = 0
    cable: int = 1

    def of(self, switches: int, cables: int) -> int:
        """Return the least cost of a number of switches and of cables between them."""
        return self.switch * switches + self.cable * cables


BY_CABLES = PartCosts()
