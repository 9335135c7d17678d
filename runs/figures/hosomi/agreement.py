"""Comparison of our numbers with the published ones, and verdicts.

Identical planes and formulas have one value, so ours must lie within the precision of the published number: `agrees`
or `differs`. Optimised designs are to be no worse than the published ones: `met`, `beaten` or `not met`, with the
rounding of the published digits in favour of `met`. Numbers of one of many equally good designs are only `reported`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from isoplane.runs.figures.table import Table
from isoplane.runs.published import Published, published

from .designs import IDENTICAL

AGREES, DIFFERS, MET, BEATEN, NOT_MET, REPORTED = "agrees", "differs", "met", "beaten", "not met", "reported"
COUNTED = {AGREES: "agree", DIFFERS: "differ", MET: "met", BEATEN: "beaten", NOT_MET: "not met", REPORTED: "reported"}
NUMBERS = range(5, 8)  # columns aligned to the right
EXTRA_DIGITS = 2  # decimals of our numbers beyond those of the paper

Values = Mapping[tuple[str, int, str], Fraction]  # by (network, n, metric)


@dataclass(frozen=True)
class Verdict:
    """A published number, ours, and the verdict.

    Attributes
    ----------
    point
        The published number.
    ours
        Ours, exact, in the same unit.
    verdict
        ``agrees``, ``differs``, ``met``, ``beaten``, ``not met`` or ``reported``.
    our_network
        The name of our network, if it differs from that of the published one.
    """

    point: Published
    ours: Fraction
    verdict: str
    our_network: str = ""

    @property
    def difference(self) -> Fraction:
        """Ours minus the published value."""
        return self.ours - self.point.value


def points_of(figure: str) -> list[Published]:
    """Return the published numbers of a figure with all its panels: those of Fig 5a, 5b and 5c for ``Fig 5``."""
    return [point for point in published() if point.figure.rstrip("abc") == figure]


def agreement(point: Published, ours: Fraction) -> Verdict:
    """Compare a number of identical planes: |ours - published| <= precision agrees."""
    return Verdict(point, ours, AGREES if abs(ours - point.value) <= point.precision else DIFFERS)


def no_worse(point: Published, ours: Fraction, *, rises: bool) -> Verdict:
    """Compare one metric of an optimised design.

    Parameters
    ----------
    point, ours
        The published number and ours.
    rises
        Whether larger is better.

    Notes
    -----
    With d = ours - published, or its negative if larger is better: ``beaten`` for d < -precision, ``met`` for
    d <= precision, ``not met`` otherwise. So a number that prints like the published one, up to its last digit, is met.

    Examples
    --------
    >>> hops = Published("Fig 3a", "DI-HC", 8, "aspl", "hops", Fraction("3.13"), Fraction("0.005"), "model")
    >>> [no_worse(hops, Fraction(sum_of_distances, 256), rises=False).verdict for sum_of_distances in (799, 800, 803)]
    ['beaten', 'met', 'not met']
    """
    worse_by = point.value - ours if rises else ours - point.value
    if worse_by < -point.precision:
        return Verdict(point, ours, BEATEN)
    return Verdict(point, ours, MET if worse_by <= point.precision else NOT_MET)


def pair(delay: Published, traffic: Published, ours: tuple[Fraction, Fraction]) -> tuple[Verdict, Verdict]:
    """Compare delay and traffic of an optimised design together; both numbers get the same verdict.

    Parameters
    ----------
    delay, traffic
        The published numbers, with the precisions p and q.
    ours
        Our delay and traffic, of one design.

    Notes
    -----
    The score that the design minimises is delay × load, proportional to delay / traffic. ``met`` when ours is at most
    (delay + p) / (traffic - q), the worst that rounds to the published digits; ``beaten`` when it is below the best,
    (delay - p) / (traffic + q). A lower delay at no less traffic is therefore never ``not met``.
    """
    score = ours[0] / ours[1]
    best = (delay.value - delay.precision) / (traffic.value + traffic.precision)
    worst = (delay.value + delay.precision) / (traffic.value - traffic.precision)
    verdict = BEATEN if score < best else MET if score <= worst else NOT_MET
    return Verdict(delay, ours[0], verdict), Verdict(traffic, ours[1], verdict)


def agreement_or_report(points: Iterable[Published], values: Values) -> list[Verdict]:
    """Compare the identical planes, and report the number of every other design; sizes without a value are left out."""
    checked = []
    for point in points:
        ours = value_for(point, values)
        if ours is not None:
            checked.append(agreement(point, ours) if point.network in IDENTICAL else Verdict(point, ours, REPORTED))
    return checked


def value_for(point: Published, values: Values) -> Fraction | None:
    """Return our value of the same network, size and metric, if any."""
    return None if point.n is None else values.get((point.network, point.n, point.metric))


COLUMNS: Mapping[str, Callable[[Verdict], object]] = {
    "figure": lambda verdict: verdict.point.figure,
    "network": lambda verdict: verdict.point.network,
    "n": lambda verdict: verdict.point.n,
    "metric": lambda verdict: verdict.point.metric,
    "unit": lambda verdict: verdict.point.unit,
    "published": lambda verdict: f"{float(verdict.point.value):.{verdict.point.decimals}f}",
    "ours": lambda verdict: f"{float(verdict.ours):.{verdict.point.decimals + EXTRA_DIGITS}f}",
    "difference": lambda verdict: f"{float(verdict.difference):+.{verdict.point.decimals + EXTRA_DIGITS}f}",
    "verdict": lambda verdict: (
        f"{verdict.verdict} by {verdict.our_network}" if verdict.our_network else verdict.verdict
    ),
}


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return a table with a row for each verdict."""
    return Table.of(verdicts, COLUMNS, NUMBERS)


def verdict_text(verdicts: Sequence[Verdict]) -> str:
    """Return aligned lines, one per published number, and a last line with the number of verdicts of each kind.

    Examples
    --------
    >>> verdict_text([])
    'the paper states no number at these sizes'
    """
    if not verdicts:
        return "the paper states no number at these sizes"
    counts = Counter(verdict.verdict for verdict in verdicts)
    return f"{verdict_table(verdicts)}\n{', '.join(f'{counts[kind]} {word}' for kind, word in COUNTED.items())}"
