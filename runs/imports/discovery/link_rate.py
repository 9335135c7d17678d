"""Rates of InfiniBand links: the number of lanes, and the speed of each."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

Kind = TypeVar("Kind", bound=Hashable)
MBPS = 1000  # in a Gbit/s
EIGHT_OF_TEN, CODED_64 = Fraction(8, 10), Fraction(64, 66)
CODED_PAM4 = Fraction(256, 257) * Fraction(514, 544)  # code and forward error correction from HDR on
LANE_GBPS: Mapping[str, Fraction] = {
    "SDR": Fraction("2.5") * EIGHT_OF_TEN,
    "DDR": Fraction(5) * EIGHT_OF_TEN,
    "QDR": Fraction(10) * EIGHT_OF_TEN,
    "FDR10": Fraction("10.3125") * CODED_64,
    "FDR": Fraction("14.0625") * CODED_64,
    "EDR": Fraction("25.78125") * CODED_64,
    "HDR": Fraction("53.125") * CODED_PAM4,
    "NDR": Fraction("106.25") * CODED_PAM4,
    "XDR": Fraction("212.5") * CODED_PAM4,
}
LANES: Mapping[str, int] = {f"{lanes}x": lanes for lanes in (1, 2, 4, 8, 12)}
EXPECTED = f"{', '.join(LANES)} of {', '.join(LANE_GBPS)}"


class LinkRate(NamedTuple):
    """The rate of a link.

    Parameters
    ----------
    lanes
        Number of lanes.
    speed
        Name of the speed of a lane: ``SDR``, ``DDR``, ``QDR``, ``FDR10``, ``FDR``, ``EDR``, ``HDR``, ``NDR`` or
        ``XDR``.

    References
    ----------
    InfiniBand Architecture Specification, volume 2: signalling rates and codes of lanes, ``LANE_GBPS`` being their
    product: 8b/10b to QDR, 64b/66b to EDR, 256b/257b with RS(544,514) from HDR on.

    Examples
    --------
    >>> rate = LinkRate(4, "FDR")
    >>> f"{rate}", float(rate.gbps)
    ('4xFDR', 54.545)
    """

    lanes: int
    speed: str

    @property
    def gbps(self) -> Fraction:
        """Bits of data in Gbit/s, rounded to whole Mbit/s."""
        return Fraction(round(self.lanes * LANE_GBPS[self.speed] * MBPS), MBPS)

    def __str__(self) -> str:
        return f"{self.lanes}x{self.speed}"


def usual_rates(links: Iterable[tuple[Kind, Fraction]]) -> dict[Kind, Fraction]:
    """Return the rate that most links of each kind have, of several such rates the highest.

    Examples
    --------
    >>> usual_rates([("node", Fraction(200)), ("node", Fraction(2)), ("node", Fraction(200)), ("cable", Fraction(54))])
    {'node': Fraction(200, 1), 'cable': Fraction(54, 1)}
    """
    counts: dict[Kind, Counter[Fraction]] = {}
    for kind, gbps in links:
        counts.setdefault(kind, Counter())[gbps] += 1
    return {kind: max(count, key=lambda gbps: (count[gbps], gbps)) for kind, count in counts.items()}
