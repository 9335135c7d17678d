"""Estimates of the remaining computation of an exact search; they do not influence the search."""

from dataclasses import dataclass
from math import sqrt

# With at least this many completed units, their mean time is a better estimate than random paths.
ENOUGH_UNITS = 256
NEGLIGIBLE = 0.01  # core-hours; smaller estimates are not printed


@dataclass(frozen=True)
class Forecast:
    """An estimate of computation.

    Attributes
    ----------
    core_seconds
        The estimate.
    spread
        Two standard errors of the estimate.

    Examples
    --------
    >>> Forecast(7200.0, 1800.0).text
    'about 2 core-hours left (1.5 to 2.5)'
    """

    core_seconds: float
    spread: float

    @property
    def core_hours(self) -> tuple[float, float, float]:
        """The estimate, and two standard errors below and above it, in core-hours."""
        low, high = max(0.0, self.core_seconds - self.spread), self.core_seconds + self.spread
        return self.core_seconds / 3600, low / 3600, high / 3600

    @property
    def text(self) -> str:
        """The estimate in words."""
        if self.core_hours[2] < NEGLIGIBLE:
            return f"less than {NEGLIGIBLE} core-hours left"
        hours, low, high = (f"{float(f'{value:.2g}'):.15g}" for value in self.core_hours)  # two digits, no exponent
        return f"about {hours} core-hours left ({low} to {high})"

    def part(self, share: float) -> "Forecast":
        """Return the forecast for a share of the work."""
        return Forecast(self.core_seconds * share, self.spread * share)


@dataclass
class Pace:
    """Times and units of the completed calls: a ratio estimate of the time of the remaining units.

    With r = Σs / Σu the error follows from the variance of the deviations s - r u of the calls. Units are scattered, so
    the completed ones are a sample of all units.

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
        """Add a completed call."""
        ss, su, uu = self.squares
        self.calls, self.units, self.seconds = self.calls + 1, self.units + units, self.seconds + seconds
        self.squares = ss + seconds * seconds, su + seconds * units, uu + units * units

    def left(self, units: int) -> Forecast | None:
        """Return the forecast for a number of remaining units; None if too few have been completed."""
        if self.units < ENOUGH_UNITS or self.calls < 2:
            return None
        ratio = self.seconds / self.units
        ss, su, uu = self.squares
        # Rounding may leave a sum of squared deviations slightly below 0.
        deviation = max(0.0, ss - 2 * ratio * su + ratio * ratio * uu) * self.calls / (self.calls - 1)
        # Error of the ratio, and scatter of the remaining units around it.
        error = units * sqrt(deviation) / self.units * sqrt(1 + self.units / units) if units else 0.0
        return Forecast(ratio * units, 2 * error)
