"""How much computation an exact search has left: estimates, which decide nothing."""

from dataclasses import dataclass
from math import sqrt

# So many units tell more than random paths do.
ENOUGH_UNITS = 256
NEGLIGIBLE = 0.01  # core-hours that need no more digits


@dataclass(frozen=True)
class Forecast:
    """An estimate of computation.

    Attributes
    ----------
    core_seconds
        The estimate.
    spread
        Two standard errors of it.

    Examples
    --------
    >>> Forecast(7200.0, 1800.0).text
    'about 2 core-hours left (1.5 to 2.5)'
    """

    core_seconds: float
    spread: float

    @property
    def core_hours(self) -> tuple[float, float, float]:
        """The estimate, two standard errors less, and two more, in hours of one core."""
        low, high = max(0.0, self.core_seconds - self.spread), self.core_seconds + self.spread
        return self.core_seconds / 3600, low / 3600, high / 3600

    @property
    def text(self) -> str:
        """What people read."""
        if self.core_hours[2] < NEGLIGIBLE:
            return f"less than {NEGLIGIBLE} core-hours left"
        hours, low, high = (f"{float(f'{value:.2g}'):.15g}" for value in self.core_hours)  # two digits, no exponent
        return f"about {hours} core-hours left ({low} to {high})"

    def part(self, share: float) -> "Forecast":
        """Return the forecast of a share of the work."""
        return Forecast(self.core_seconds * share, self.spread * share)


@dataclass
class Pace:
    """Seconds and units of the calls that have ended: a ratio estimate of what the other units take.

    With r = Σs / Σu the calls deviate from r u by what their variance tells. Units are scattered, so those that ended
    are a sample of all.

    References
    ----------
    Cochran, Sampling Techniques, 1977, chapter 6.

    Examples
    --------
    >>> pace = Pace()
    >>> for seconds in (1.0, 3.0) * 128:
    ...     pace.add(1, seconds)
    >>> pace.left(256).core_seconds
    512.0
    """

    calls: int = 0
    units: int = 0
    seconds: float = 0.0
    squares: tuple[float, float, float] = (0.0, 0.0, 0.0)  # Σs², Σsu, Σu²

    def add(self, units: int, seconds: float) -> None:
        """Take the units of a call in."""
        ss, su, uu = self.squares
        self.calls, self.units, self.seconds = self.calls + 1, self.units + units, self.seconds + seconds
        self.squares = ss + seconds * seconds, su + seconds * units, uu + units * units

    def left(self, units: int) -> Forecast | None:
        """Return the forecast of so many other units, None if too few have ended."""
        if self.units < ENOUGH_UNITS or self.calls < 2:
            return None
        ratio = self.seconds / self.units
        ss, su, uu = self.squares
        deviation = max(0.0, ss - 2 * ratio * su + ratio * ratio * uu) * self.calls / (self.calls - 1)
        # Of the ratio, and of the other units around it.
        error = units * sqrt(deviation) / self.units * sqrt(1 + self.units / units) if units else 0.0
        return Forecast(ratio * units, 2 * error)
