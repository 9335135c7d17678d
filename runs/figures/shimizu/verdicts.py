"""The numbers of the paper beside ours."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from isoplane.runs.published import PublishedCount, shimizu_counts

from .sizes import Size


@dataclass(frozen=True)
class Verdict:
    """A published number at a value of d, and ours.

    Attributes
    ----------
    point
        The published number.
    size
        Our network.
    """

    point: PublishedCount
    size: Size

    @property
    def published(self) -> Fraction:
        """The published number at this d."""
        return self.point.at(self.size.degree)

    @property
    def ours(self) -> Fraction:
        """Our number."""
        size = self.size
        values = {
            "servers": Fraction(size.servers),
            "switches": Fraction(size.switches),
            "servers per switch": size.servers_per_switch,
        }
        return values[self.point.metric]

    @property
    def agrees(self) -> bool:
        """Whether both are the same number, and no switch has more than 2d ports."""
        return self.ours == self.published and self.size.ports <= 2 * self.size.degree


def verdicts(sizes: Iterable[Size]) -> list[Verdict]:
    """Compare every published number with ours, at every value of d for which it is stated.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, sections 2 and 3.3.
    """
    own = list(sizes)
    return [
        Verdict(point, size)
        for point in shimizu_counts()
        for size in own
        if size.network == point.network and point.degree in (None, size.degree)
    ]
