"""Cells and heads of tables as LaTeX: signs escaped, and names of metrics in words."""

import re
from collections.abc import Sequence
from textwrap import wrap

from .exact_text import NUMBER

NONE = "-"  # of a number that is unknown
# A name that states its unit at its end; prices also for what.
STATED = re.compile(r"_(?:(ns|m|w|kw|mm2|bytes)|(usd)(_per_node|_per_gbps)?)$")
NARROWEST_HEAD = 11  # characters in a line of a head above narrower cells
UNITS = {"ns": "ns", "m": "m", "w": "W", "kw": "kW", "mm2": "mm²", "bytes": "bytes", "usd": "US$"}
# Names of metrics among other signs; neither keys of configs, such as network.nodes_per_switch, nor module:function.
NAME = re.compile(r"(?<![\w.:])(?:aspl|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w.:])")
WORDS = {"aspl": "ASPL", "gbps": "Gbit/s"}
NAMED = {"delay_paper": "published delay"}  # in other words
SIGNS = str.maketrans(
    {sign: rf"\{sign}" for sign in "&%$#_{}"}
    # In a row, [ and * could be read as arguments of the line break before them.
    | {sign: f"{{{sign}}}" for sign in "[]*"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}", "²": r"\textsuperscript{2}", "\n": " "}
)
RELATIONS = re.compile("(<=|>=|[*])")  # of objectives and limits
MATHEMATICS = {"<=": r"$\leq$", ">=": r"$\geq$", "*": r"$\times$"}


def latex_text(text: str) -> str:
    r"""Return a cell for LaTeX.

    Examples
    --------
    >>> print(latex_text("R&D: 5 %"), latex_text("-21.88 %"), latex_text("-"))
    R\&D: 5 \% $-$21.88 \% --
    """
    if text == NONE:
        return "--"
    escaped = text.translate(SIGNS)
    return f"$-${escaped[1:]}" if text.startswith("-") and NUMBER.match(text) else escaped


def latex_head(text: str, with_units: bool = True) -> str:
    r"""Return a head for LaTeX, in which names of metrics are words, with the units that the names state.

    Examples
    --------
    >>> print(latex_head("aspl (hops)"), latex_head("cost_usd_per_node"), latex_head("delay_ns", with_units=False))
    ASPL (hops) cost per node (US\$) delay
    >>> print(latex_head("min longest_cable_m * switches"), latex_head("diameter <= 9"))
    min longest cable (m) $\times$ switches diameter $\leq$ 9
    """
    words = NAME.sub(lambda name: _words(name[0], with_units), text)
    return "".join(MATHEMATICS.get(part) or part.translate(SIGNS) for part in RELATIONS.split(words))


def latex_head_lines(text: str, width: int) -> list[str]:
    """Return the lines of a head for LaTeX above cells of a width, which it hardly exceeds; its unit begins one.

    Examples
    --------
    >>> latex_head_lines("longest_cable_m", 3), latex_head_lines("throughput (link capacities)", 17)
    (['longest', 'cable', '(m)'], ['throughput', '(link capacities)'])
    """
    name, bracket, unit = latex_head(text).rpartition(" (")
    parts = [name, f"({unit}"] if unit.endswith(")") else [name + bracket + unit]
    room = max(width, NARROWEST_HEAD)
    return [line for part in parts for line in wrap(part, room, break_long_words=False, break_on_hyphens=False)]


def latex_numbers(cells: Sequence[str]) -> list[str]:
    r"""Return numbers aligned to the right with their points below each other: ``\phantom`` fills the room.

    Examples
    --------
    >>> print(*latex_numbers(["1.25", "12", "-"]))
    1.25 12\phantom{.25} --
    """
    ends = [found[1] or "" if (found := NUMBER.fullmatch(cell)) is not None else None for cell in cells]
    longest = max((end for end in ends if end is not None), key=len, default="")
    missing = [longest[len(end) :] if end is not None else "" for end in ends]
    return [
        latex_text(cell) + (rf"\phantom{{{rest}}}" if rest else "") for cell, rest in zip(cells, missing, strict=True)
    ]


def _words(name: str, with_units: bool) -> str:
    """Return a name of a metric in words."""
    stated = STATED.search(name)
    unit, per = (UNITS[stated[1] or stated[2]], stated[3] or "") if stated else ("", "")
    base = name[: stated.start()] + per if stated else name
    words = NAMED.get(base) or " ".join(WORDS.get(word, word) for word in base.split("_"))
    return f"{words} ({unit})" if unit and with_units else words
