"""Comparison of our numbers with the published ones, and verdicts.

Identical planes and formulas have one value, so ours must lie within the precision of the published number: `agrees`
or `differs`. Optimised designs are to be no worse than the published ones: `met`, `beaten` or `not met`, with the
rounding of the published digits in favour of `met`. Numbers of one of many equally good designs are only `reported`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked
from isoplane.runs.figures.figure import verdicts_text
from isoplane.runs.published import Published, published
from isoplane.runs.terminal.table import Table

from .designs import IDENTICAL
from .measures import Values

MET, BEATEN, NOT_MET, REPORTED = "met", "beaten", "not met", "reported"
NUMBERS = range(4, 7)  # columns aligned to the right
EXTRA_DIGITS = 2  # decimals of our numbers beyond those of the paper

Verdict = Checked[Published, Fraction]  # the note: which other network of ours meets or beats what this one does not


def points_of(figure: str) -> list[Published]:
    """Return the published numbers of a figure with all its panels: those of Fig 5a, 5b and 5c for ``Fig 5``."""
    return [point for point in published() if point.figure.rstrip("abc") == figure]


def agreement(point: Published, ours: Fraction) -> Verdict:
    """Compare a number of identical planes: |ours - published| <= precision agrees."""
    return Checked(point, ours, AGREES if abs(ours - point.value) <= point.precision else DIFFERS)


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
        return Checked(point, ours, BEATEN)
    return Checked(point, ours, MET if worse_by <= point.precision else NOT_MET)


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
    return Checked(delay, ours[0], verdict), Checked(traffic, ours[1], verdict)


def agreement_or_report(points: Iterable[Published], values: Values) -> list[Verdict]:
    """Compare the identical planes, and report the number of every other design; sizes without a value are left out."""
    checked = []
    for point in points:
        ours = value_for(point, values)
        if ours is not None:
            checked.append(agreement(point, ours) if point.network in IDENTICAL else Checked(point, ours, REPORTED))
    return checked


def value_for(point: Published, values: Values) -> Fraction | None:
    """Return our value of the same network, size and metric, if any."""
    return None if point.n is None else values.get((point.network, point.n, point.metric))


def _printed(verdict: Verdict, value: Fraction, sign: str = "") -> str:
    return f"{float(value):{sign}.{verdict.stated.decimals + EXTRA_DIGITS}f}"


COLUMNS: Mapping[str, Callable[[Verdict], object]] = {
    "figure": lambda verdict: verdict.stated.figure,
    "network": lambda verdict: verdict.stated.network,
    "n": lambda verdict: verdict.stated.n,
    "metric": lambda verdict: verdict.stated.metric,
    "published": lambda verdict: f"{float(verdict.stated.value):.{verdict.stated.decimals}f}",
    "ours": lambda verdict: _printed(verdict, verdict.ours),
    "difference": lambda verdict: _printed(verdict, verdict.ours - verdict.stated.value, "+"),
    "verdict": lambda verdict: f"{verdict.verdict} ({verdict.note})" if verdict.note else verdict.verdict,
    "unit": lambda verdict: verdict.stated.unit,  # last: left out where a terminal is too narrow
}


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return a table with a row for each verdict."""
    return Table.of(verdicts, COLUMNS, NUMBERS)


def verdict_text(verdicts: Sequence[Verdict], sizes: Collection[int] = ()) -> tuple[Table | str, ...]:
    """Return a table with a row for each published number, how many have which verdict, and sizes that have none.

    Examples
    --------
    >>> verdict_text([], [4, 5])
    ('the paper states no number at n = 4, 5; format=csv and the CSV file of the figure have ours',)
    """
    missing = sorted(set(sizes) - {verdict.stated.n for verdict in verdicts})
    sizes_text = ", ".join(map(str, missing))
    unstated = f"the paper states no number at n = {sizes_text}; format=csv and the CSV file of the figure have ours"
    notes = (unstated,) if missing else ()
    if not verdicts:
        return notes or ("the paper states no number at these sizes",)
    table = verdict_table(verdicts)
    return table, verdicts_text({"-published": table}), *notes


def unmet_text(verdicts: Sequence[Verdict], exact_up_to: int, limits: str) -> tuple[str, ...]:
    """Return why searches that end at limits may have missed published numbers; nothing if they have missed none."""
    missed = {verdict.stated.n for verdict in verdicts if verdict.verdict == NOT_MET and not verdict.note}
    sizes = ", ".join(str(n) for n in sorted(n for n in missed if n is not None and n > exact_up_to))
    if not sizes:
        return ()
    return (f"not met at n = {sizes}: heuristic searches, ended by {limits}; docs/howto.md says which meet more",)
