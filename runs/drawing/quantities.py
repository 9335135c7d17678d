"""Formats numbers for display."""

from math import floor, log10

from isoplane.objectives.scoring.own_metrics import metric_named

MINUS = "−"
DIGITS = 5
BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
NS_PER_MS = 1e6


def format_number(value: float, decimals: int = 4, padded: bool = False) -> str:
    """Format a number with thousands separated and without trailing zeros.

    Examples
    --------
    >>> format_number(3.125), format_number(80000), format_number(-2.0), format_number(485, 2, padded=True)
    ('3.125', '80,000', '−2', '485.00')
    """
    text = f"{value:,.{decimals}f}"
    if decimals and not padded:
        text = text.rstrip("0").rstrip(".")
    # A small negative number rounds to -0.
    return text.replace("-", MINUS) if text != "-0" else "0"


def format_significant(value: float, digits: int = DIGITS) -> str:
    """Format a number with `digits` significant digits; the integer part is never rounded.

    Examples
    --------
    >>> format_significant(640.00184), format_significant(1234567.8), format_significant(0.00046), format_significant(0)
    ('640', '1,234,568', '0.00046', '0')
    """
    if value == 0:
        return "0"
    return format_number(value, max(0, digits - 1 - floor(log10(abs(value)))))


def format_metric(metric: str, value: float | None) -> str:
    """Format a value of a metric in the unit of `unit_of`; a dash for None.

    Examples
    --------
    >>> format_metric("delay_ns", 601.0), format_metric("cost_usd_per_node", 3319.5), format_metric("delay_ns", None)
    ('601', '3,319.50', '–')
    >>> format_metric("completion_ns", 640_001_840)
    '640'
    """
    shown = metric_named(metric)
    if value is None:
        return "–"
    if shown.page_unit is not None:
        return format_significant(value / shown.page_unit[1])
    return format_number(value, shown.decimals, shown.padded)


def unit_of(metric: str) -> str:
    """Return the unit in which pages show a metric.

    Examples
    --------
    >>> unit_of("aspl"), unit_of("completion_ns")
    ('hops', 'ms')
    """
    shown = metric_named(metric)
    return shown.unit if shown.page_unit is None else shown.page_unit[0]


def short_title(metric: str) -> str:
    """Return the short title of a metric.

    Examples
    --------
    >>> short_title("aspl"), short_title("diameter")
    ('ASPL', 'Diameter')
    """
    shown = metric_named(metric)
    return shown.short or shown.title


def title_in_sentence(metric: str) -> str:
    """Return the name of a metric inside a sentence.

    Examples
    --------
    >>> title_in_sentence("aspl"), title_in_sentence("diameter"), title_in_sentence("cable_fault_aspl")
    ('ASPL', 'diameter', 'ASPL without a cable')
    """
    short = short_title(metric)
    return short if short.split()[0].isupper() else short[0].lower() + short[1:]


def value_text(metric: str, value: float | None) -> str:
    """Return a metric with its name, value and unit.

    Examples
    --------
    >>> value_text("delay_ns", 601), value_text("aspl", 3.125)
    ('delay 601 ns', 'ASPL 3.125 hops')
    """
    return f"{title_in_sentence(metric)} {format_metric(metric, value)} {unit_of(metric)}".strip()


def format_change(value: float, before: float) -> str:
    """Format the relative difference between two values in percent, with the digits of tables on a terminal.

    Examples
    --------
    >>> [format_change(value, before) for value, before in ((3.125, 4), (5.12, 4), (4, 4), (1, 0))]
    ['−21.88 %', '+28 %', '±0 %', '–']
    """
    if before == 0:
        return "–"
    percent = format_number(100 * (value / before - 1), 2)
    if percent == "0":
        return "±0 %"
    return f"{percent} %" if percent.startswith(MINUS) else f"+{percent} %"


def verdict(metric: str, value: float, before: float) -> str:
    """Return ``better``, ``worse`` or ``same``.

    Examples
    --------
    >>> verdict("delay_ns", 512, 601), verdict("max_traffic", 4, 5), verdict("circuits", 4, 5)
    ('better', 'worse', 'same')
    """
    higher_is_better = metric_named(metric).higher_is_better
    if value == before or higher_is_better is None:
        return "same"
    return "better" if (value > before) == higher_is_better else "worse"


def byte_unit(value: float) -> tuple[int, str]:
    """Return the largest unit not above a number of bytes: its size in bytes, and its name.

    Examples
    --------
    >>> byte_unit(40_000_000), byte_unit(0)
    ((1000000, 'MB'), (1, 'B'))
    """
    unit = 0
    while value >= 1000 ** (unit + 1) and unit < len(BYTE_UNITS) - 1:
        unit += 1
    return int(1000**unit), BYTE_UNITS[unit]


def bytes_text(value: float) -> str:
    """Format bytes in a suitable unit.

    Examples
    --------
    >>> bytes_text(40_000_000), bytes_text(1500), bytes_text(12), bytes_text(0)
    ('40 MB', '1.5 kB', '12 B', '0 B')
    """
    scale, unit = byte_unit(value)
    return f"{format_significant(value / scale, 3)} {unit}"
