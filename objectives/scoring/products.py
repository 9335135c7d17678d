"""Products of metrics as products of exact integers: a metric is an integer over a divisor, or a divisor over it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING

from isoplane.models import InputError

from .expressions import FUNCTION, Product
from .metric import Formula, Scope
from .metric_scopes import displayed_metric, metrics_in, named_otherwise, objective_names
from .objective import Evaluator
from .own_metrics import own_integer, own_metrics
from .sums import Component

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload

WORDS: Mapping[str, str] = {"cable_m": "longest_cable_m"}  # of options, for metrics

Exact = tuple[Fraction, Component, bool]  # a weight, exact integers, and whether the weight is divided by these


def exact_product(
    place: str, product: Product, evaluator: Evaluator, network: Network, workload: Workload | None
) -> Exact:
    """Return a product of metrics as exact integers.

    Parameters
    ----------
    place
        The key and value that the product is in, for messages.
    product
        A weight, and the metrics above and below the line, by their names in records or in the files of objectives.
    evaluator, network, workload
        As for `worded_objective`.

    Raises
    ------
    InputError
        If a metric is unknown or undefined, or some improve as their integers rise and others as they fall.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> exact_product("objective", (Fraction(2), ("max_traffic",), ()), CUBES, dual_cube(3, (3, 5, 7)), None)
    (Fraction(32, 1), ('max_load',), True)
    """
    (weight, over, under), powers = product, Counter[str]()
    for power, names in ((1, over), (-1, under)):
        for name in names:
            if (own := own_integer(name)) is not None:
                if power < 0:
                    raise InputError(f"{place}: {name} is a function below a line; expected it in sums and products")
                powers[own] += 1
                continue
            formula = _formula(place, name, evaluator, network)
            divisor = formula.units(network) * (1 if formula.divisor is None else formula.divisor(network, workload))
            if divisor == 0:
                raise InputError(f"{place}: {name} is undefined here; expected another metric")
            weight *= Fraction(divisor) ** (power if formula.inverse else -power)
            powers[formula.score_name] += -power if formula.inverse else power
    integers = tuple(name for name, power in powers.items() for _ in range(abs(power)))
    signs = {power > 0 for power in powers.values() if power}
    if len(signs) != 1:
        raise InputError(
            f"{place}: a quotient of {', '.join((*over, *under))} is no product of exact integers; "
            f"expected metrics that improve in one direction, or {FUNCTION}"
        )
    return weight, integers, signs == {False}


def _formula(place: str, name: str, evaluator: Evaluator, network: Network) -> Formula:
    """Return the formula of a metric by its name in records, or in the files of objectives."""
    from isoplane.models.family_kinds.cube import has_kernels

    scope: Scope = evaluator.scope
    name = WORDS.get(name, name)
    if scope == "times" and name not in {*metrics_in(scope), *objective_names(scope)}:
        scope = "cubes" if has_kernels(network) else "switches"
    known = {key: formula for key, (_, formula) in metrics_in(scope).items() if formula.scored}
    known |= {
        key: displayed_metric(scope, exact)[1] for key, exact in objective_names(scope).items() if key not in known
    }
    known = {key: formula for key, formula in known.items() if formula.score_name in evaluator.names}
    if name not in known:
        close = get_close_matches(name, (*known, *own_metrics()), n=1)
        hint = named_otherwise(name, known) or (f"did you mean {close[0]}? " if close else "")
        recorded = [*(key for key in metrics_in(scope) if key in known), *own_metrics()]
        raise InputError(f"{place}: {hint}unknown metric {name}; expected {', '.join(recorded)}")
    return known[name]
