"""Objectives and limits in words, as parsed: sums of weighted products of metrics."""

import re
from collections.abc import Iterator
from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.checks import exact_number

DIRECTIONS = ("min", "max")
RELATIONS = ("<=", ">=")
FUNCTION = "objective=module:function"  # in messages: what computes all that words cannot say
SUBJECT_TO = " subject to "  # between objective and limits in the name of an objective

_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_NAME = r"[A-Za-z_]\w*(?:[\w.]*:[A-Za-z_]\w*)?"  # of a metric, or module:function
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER})|(?P<name>{_NAME})|(?P<sign>[-+*/()]|[<>=]+))")
_THEN = re.compile(r"\s*,?\s*\bthen\b\s+")


# A positive weight, and the metrics above and below the line of a product.
Product = tuple[Fraction, tuple[str, ...], tuple[str, ...]]


def is_in_words(objective: object) -> bool:
    """Whether an objective is stated in words, not by the name of a file.

    Examples
    --------
    >>> [is_in_words(text) for text in ("min delay_ns", "delay", "maximal")]
    [True, False, False]
    """
    return isinstance(objective, str) and objective.split(maxsplit=1)[:1] in [[word] for word in DIRECTIONS]


def clauses_of(objective: str) -> list[tuple[str, list[Product]]]:
    """Return what an objective in words minimises or maximises, in order; of a tie-break the word may be missing.

    Raises
    ------
    InputError
        If it is not ``min`` or ``max`` with a sum of products, and further ones after ``then``.

    Examples
    --------
    >>> [(direction, names) for direction, [(_, names, _)] in clauses_of("min delay_ns, then max max_traffic")]
    [('min', ('delay_ns',)), ('max', ('max_traffic',))]
    """
    clauses = list[tuple[str, list[Product]]]()
    for clause in _THEN.split(objective.strip()):
        direction, _, expression = clause.partition(" ")
        if direction not in DIRECTIONS:
            if not clauses:
                raise InputError(f"objective={objective}: {clause!r}; expected min or max, then metrics")
            direction, expression = "", clause
        clauses.append((direction, products_of(f"objective={objective}", expression)))
    return clauses


def clause_texts(objective: str) -> list[str]:
    """Return the clauses of an objective in words as texts, all with ``min`` or ``max``.

    Examples
    --------
    >>> clause_texts("min delay_ns, then 2*aspl + max_load")
    ['min delay_ns', 'min 2*aspl + max_load']
    """
    return [text if is_in_words(text) else f"min {text}" for text in _THEN.split(objective.strip())]


def limits_of(text: str) -> list[tuple[list[Product], str, Fraction]]:
    """Return limits in words: what is limited, the relation, and the number.

    Raises
    ------
    InputError
        If one is not a sum of products, ``<=`` or ``>=``, and a number.

    Examples
    --------
    >>> [(relation, str(number)) for _, relation, number in limits_of("aspl <= 2.125, max_traffic >= 5")]
    [('<=', '17/8'), ('>=', '5')]
    """
    limits = []
    for limit in (part.strip() for part in text.split(",")):
        parts = re.split(r"([<>=]+)", limit)
        if len(parts) != 3 or parts[1] not in RELATIONS or not re.fullmatch(_NUMBER, parts[2].strip()):
            raise InputError(f"subject_to={text}: {limit!r}; expected METRIC <= NUMBER or METRIC >= NUMBER, by commas")
        number = exact_number(f"subject_to={text}: limit", parts[2].strip())
        limits.append((products_of(f"subject_to={text}", parts[0]), parts[1], number))
    return limits


def products_of(place: str, expression: str) -> list[Product]:
    """Return the products of a sum, such as ``2*delay_ns + 0.1*cost_usd_per_node``.

    Parameters
    ----------
    place
        The key and value that the expression is in, for messages.
    expression
        Products of metrics and positive numbers with ``*`` and ``/``, joined by ``+``.

    Examples
    --------
    >>> products_of("objective", "2 * delay_ns / max_traffic + cost_usd_per_node / 10")
    [(Fraction(2, 1), ('delay_ns',), ('max_traffic',)), (Fraction(1, 10), ('cost_usd_per_node',), ())]
    """
    products, tokens = [], [*_tokens(place, expression), ("sign", "+")]
    weight, over, under = Fraction(1), list[str](), list[str]()
    divides, expects_factor = False, True
    for kind, token in tokens:
        if (kind == "sign") == expects_factor or (kind == "sign" and token not in "+*/"):
            raise InputError(f"{place}: {expression.strip()!r}; expected {_allowed(place)}")
        expects_factor = kind == "sign"
        if kind == "name":
            (under if divides else over).append(token)
        elif kind == "number":
            number = exact_number(f"{place}: weight", token, above=True)
            weight = weight / number if divides else weight * number
        elif token == "+":
            if not over and not under:
                raise InputError(f"{place}: {expression.strip()!r}; expected a metric in each product")
            products.append((weight, tuple(over), tuple(under)))
            weight, over, under = Fraction(1), [], []
        divides = token == "/"
    return products


def _allowed(place: str) -> str:
    """Return what an expression can be, in words."""
    others = f", or {FUNCTION}" if place.startswith("objective") else ""  # no limits
    return f"metrics and numbers joined by *, / and +{others}"


def _tokens(place: str, expression: str) -> Iterator[tuple[str, str]]:
    offset = 0
    text = expression.rstrip()
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None or match.lastgroup is None:
            raise InputError(f"{place}: {text[offset:].strip()!r}; expected {_allowed(place)}")
        yield match.lastgroup, match[match.lastgroup]
        offset = match.end()
