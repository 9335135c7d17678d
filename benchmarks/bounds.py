"""Prints how close the proven bounds are to the best known designs: ``python benchmarks/bounds.py --n 8 9``."""

import argparse
import json
from fractions import Fraction
from pathlib import Path

from isoplane.models import Network, dual_cube
from isoplane.objectives import METRICS, exact_metric, ingredients
from isoplane.objectives.bounds import metric_bound

BEST = Path(__file__).parents[1] / "runs" / "best"


def best_designs(n: int, family: str) -> list[Network]:
    """Return the networks of all records of this kind."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in BEST.glob(f"{family}-n{n}-*.json")]
    planes = [tuple(record["network"]["planes"][1]["generators"]) for record in records]
    return [dual_cube(n, plane1, family == "folded_hypercube") for plane1 in planes]


def cell(metric: str, networks: list[Network]) -> str:
    """Return bound, best known value and gap of a metric."""
    best = min(exact_metric(ingredients(network), metric) for network in networks)
    bound = metric_bound(metric, networks[0])
    assert bound is not None
    gap = "reached" if bound == best else f"{100 * (best - bound) / best:.2f} %"
    unit = readable_unit(metric, networks[0])
    return f"{printed(bound * unit)} / {printed(best * unit)}, {gap}"


def readable_unit(metric: str, network: Network) -> Fraction:
    """Return what 1 of an exact metric is in hops, packets, m, ns or US$ for each node."""
    links, switches, per_ns = 2 * (network.n + network.folded), network.switches, network.switch.units().per_ns
    units = {
        "cable_length": Fraction(1, 1000 * links * switches),
        "delay": Fraction(1, 2 * switches**2 * per_ns),
        "delay_paper": Fraction(1, links * switches**2 * per_ns),
        "cost": Fraction(1, 100 * network.nodes),
    }
    return units.get(metric, Fraction(1))


def printed(value: Fraction) -> str:
    """Return a count as it is, all else with two decimals."""
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=range(3, 13))
    arguments = parser.parse_args()
    print("| family | n |", " | ".join(METRICS), "|")
    print("|---|---|" + "---|" * len(METRICS))
    for family in ("hypercube", "folded_hypercube"):
        for n in arguments.n:
            networks = best_designs(n, family)
            print(f"| {family} | {n} |", " | ".join(cell(metric, networks) for metric in METRICS), "|", flush=True)


if __name__ == "__main__":
    main()
