"""Prints how close the proven bounds are to the best known designs: ``python benchmarks/bounds.py --n 8 9``.

``--table metrics``, the default, shows bound, best known value and gap of every metric; ``--table depths`` solves, at
every depth, the linear program that bounds the sum of distances, in about a minute; ``--table inequalities`` shows the
effect of the certificates on delays. ``--write`` puts all three into `docs/bounds.md`.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

from pages import replace_table

from isoplane.models import Network, dual_cube
from isoplane.objectives import CUBE_METRICS, displayed_metric, exact_metric, exact_metrics, gap_text, relative_gap
from isoplane.objectives.bounds import delays, load_inequalities, metric_bound, metric_bounds, sum_bound
from isoplane.objectives.bounds.certificates import proven
from isoplane.objectives.bounds.distance_bound import DEPTHS
from isoplane.objectives.bounds.enumerators.enumerator import sum_program
from isoplane.objectives.bounds.enumerators.lifted_depth import lifted_program
from isoplane.objectives.bounds.solver import multipliers

ROOT = Path(__file__).parents[1]
BEST = ROOT / "runs" / "best"
PAGE = ROOT / "docs" / "bounds.md"
FAMILIES = ("hypercube", "folded_hypercube")
WITH_CABLES = range(3, 13)  # the paper's catalogue ends there
DEEPEST = max(max(depths.values()) for depths in DEPTHS.values())


def best_designs(n: int, family: str) -> list[Network]:
    """Return the networks of all records of a family and dimension."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in BEST.glob(f"{family}-n{n}-*.json")]
    planes = [tuple(record["network"]["planes"][1]["generators"]) for record in records]
    return [dual_cube(n, plane1, family == "folded_hypercube") for plane1 in planes]


def best_known(metric: str, networks: Iterable[Network]) -> int:
    """Return the least value of an exact metric."""
    return min(exact_metric(exact_metrics(network), metric) for network in networks)


def bound_of(metric: str, network: Network) -> int:
    """Return the known bound of a metric."""
    bound = metric_bound(metric, network)
    assert bound is not None
    return bound


def cell(metric: str, networks: list[Network]) -> str:
    """Return bound, best known value and gap of a metric."""
    best, bound = best_known(metric, networks), bound_of(metric, networks[0])
    gap = "reached" if bound == best else gap_text(relative_gap(best, bound))
    unit = readable_unit(metric, networks[0])
    return f"{format_value(bound * unit)} / {format_value(best * unit)}, {gap}"


def readable_unit(metric: str, network: Network) -> Fraction:
    """Return the unit of an exact metric in hops, packets, m, ns or US$ per node."""
    _, formula = displayed_metric("cubes", metric, in_product=True)
    return formula.printed(1, network)


def format_value(value: Fraction) -> str:
    """Format a count as an integer, other values with two decimals."""
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"


def metrics_table(dimensions: Iterable[int]) -> Iterator[list[str]]:
    """Yield the rows of bound, best known value and gap of every metric but those after losses, without records."""
    searched = [name for name in CUBE_METRICS if "losses" not in displayed_metric("cubes", name)[0].needs]
    yield ["family", "n", *searched]
    for family in FAMILIES:
        for n in dimensions:
            networks = best_designs(n, family)
            yield [family, str(n), *(cell(metric, networks) for metric in searched)]


def sum_at_depth(n: int, folded: bool, depth: int) -> int:
    """Return the bound of one depth's program on the sum of distances, from a stored certificate if there is one."""
    if depth == DEPTHS[folded][n]:
        return sum_bound(n, folded, enumerated=False)
    program = lifted_program(n, folded, depth) if depth else sum_program(n, folded)
    return proven(program, multipliers(program))


def depths_table(dimensions: Iterable[int]) -> Iterator[list[str]]:
    """Yield the rows of the bound of the sum of distances at each depth, with the best known value."""
    yield ["family", "n", *(f"depth {depth}" for depth in range(DEEPEST + 1)), "enumerated", "known"]
    for family in FAMILIES:
        folded = family == "folded_hypercube"
        for n in dimensions:
            sums = [str(sum_at_depth(n, folded, depth)) for depth in range(DEPTHS[folded][n] + 1)]
            bound, certified = sum_bound(n, folded), sum_bound(n, folded, enumerated=False)
            enumerated = str(bound) if bound > certified else ""
            known = best_known("sum_of_distances", best_designs(n, family))
            yield [family, str(n), *sums, *[""] * (DEEPEST + 1 - len(sums)), enumerated, str(known)]


def inequalities_table(dimensions: Iterable[int]) -> Iterator[list[str]]:
    """Yield the rows of the gaps of delays with and without their certificates."""
    yield ["family", "n", "delay", "without load inequalities", "delay_paper", "without the trade-off"]
    for family in FAMILIES:
        for n in dimensions:
            networks = best_designs(n, family)
            cells = []
            for metric in ("delay", "delay_paper"):
                best = best_known(metric, networks)
                for bound in (bound_of(metric, networks[0]), bound_without_certificates(metric, networks[0])):
                    cells.append(gap_text(relative_gap(best, bound)))
            yield [family, str(n), *cells]


def bound_without_certificates(metric: str, network: Network) -> int:
    """Return the bound of a delay without the certificates of loads and of trade-offs."""
    caches = (load_inequalities.load_inequalities, delays._kept_cut, metric_bounds._of_any_bases)
    with ExitStack() as stack:
        for module in (load_inequalities, delays):
            stack.enter_context(patch.object(module, "read_certificate", lambda *_: None))
        for cache in caches:
            cache.cache_clear()
            stack.callback(cache.cache_clear)
        return bound_of(metric, network)


TABLES = {"metrics": metrics_table, "depths": depths_table, "inequalities": inequalities_table}


def markdown(rows: Iterable[list[str]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    for number, row in enumerate(rows):
        yield f"| {' | '.join(row)} |"
        if number == 0:
            yield "|" + "---|" * len(row)


def main() -> None:
    """Print a table, or write all of them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=WITH_CABLES)
    parser.add_argument("--table", choices=list(TABLES), default="metrics")
    parser.add_argument("--write", action="store_true", help="put all tables, for all n, into docs/bounds.md")
    arguments = parser.parse_args()
    if arguments.write:
        for name, table in TABLES.items():
            replace_table(PAGE, name, list(markdown(table(WITH_CABLES))))
        return
    for line in markdown(TABLES[arguments.table](arguments.n)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
