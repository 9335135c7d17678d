"""Components of scores: products of exact integers, and weighted sums of products."""

from collections.abc import Callable, Mapping
from math import prod
from typing import cast

Component = tuple[str, ...]  # a product of exact integers
Sum = tuple[tuple[int, Component], ...]  # products times whole numbers, all of one sign but a constant
Least = Callable[[str], int | None]  # lower bounds of integers by their names

EXCESS = "excess"  # name of the component of scores that counts what is above limits
SIMULATED = "simulated"  # name of the time that a simulator judges


def terms_of(component: Component | Sum) -> Sum:
    """Return a component as a sum of products with their weights.

    Examples
    --------
    >>> terms_of(("delay", "max_load")), terms_of(((-1, ("cost",)),))
    (((1, ('delay', 'max_load')),), ((-1, ('cost',)),))
    """
    if not component or isinstance(component[0], str):
        return ((1, cast(Component, component)),)
    return component


def names_in(terms: Component | Sum) -> list[str]:
    """Return the integers of a component, some perhaps several times.

    Examples
    --------
    >>> names_in(((2, ("delay", "max_load")), (-7, ())))
    ['delay', 'max_load']
    """
    return [name for _, product in terms_of(terms) for name in product]


def sum_value(terms: Sum, values: Mapping[str, int]) -> int:
    """Return the value of a sum.

    Examples
    --------
    >>> sum_value(((2, ("delay", "max_load")), (-7, ())), {"delay": 3, "max_load": 4})
    17
    """
    return sum(weight * prod(values[metric] for metric in product) for weight, product in terms)


def sum_bound(component: Component | Sum, least: Least, largest: Mapping[str, int] | None = None) -> int | None:
    """Return a lower bound of a sum from bounds of its integers, none of which is negative; None if one is unknown.

    Examples
    --------
    >>> sum_bound(((2, ("delay",)), (-1, ("cost",)), (5, ())), {"delay": 3}.get, {"cost": 4})
    7
    """
    total = 0
    for weight, product in terms_of(component):
        bounds = [least(metric) if weight > 0 else (largest or {}).get(metric) for metric in product]
        known = [bound for bound in bounds if bound is not None]
        if len(known) < len(bounds):
            return None
        total += weight * prod(known)
    return total


def sum_name(component: Component | Sum) -> str:
    """Return the name of a component in records.

    Examples
    --------
    >>> sum_name(("delay", "max_load")), sum_name(((3, ("cost",)), (5, ("delay",)))), sum_name(((-1, ("cost",)),))
    ('delay*max_load', '3*cost+5*delay', '-cost')
    """
    terms = terms_of(component)
    name = "+".join(
        "*".join([*([] if weight == 1 and product else [str(weight)]), *product]) for weight, product in terms
    )
    return name.replace("+-", "-").replace("-1*", "-")
