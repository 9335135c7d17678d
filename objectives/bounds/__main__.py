"""Generate the certificates in `data/`: ``python -m isoplane.objectives.bounds``; n = 12 takes an hour.

Arguments restrict it to a family and a dimension: ``python -m isoplane.objectives.bounds hypercube 5``.
"""

import sys

from isoplane.models import Cubes, Layout, PriceList, SwitchModel, cable_table, family_named, family_names

from .delays import certify_delay
from .distance_bound import certify_sum
from .load_inequalities import certify_loads

WITH_CABLES = range(3, 13)  # the paper's catalogue has no cables for larger n


def certify(family: type[Cubes], n: int) -> None:
    """Solve all linear programs of a cube family at dimension n and store their certificates."""
    folded = family.folded
    print(f"{family.name} n={n}: sum of distances at least {certify_sum(n, folded)}")
    if n in WITH_CABLES:
        certify_loads(n, folded)
        certify_delay(cable_table(n, Layout(), PriceList()), SwitchModel().units(), n, folded)


def main(arguments: list[str]) -> None:
    """Generate the certificates of a family and dimension, or all of them."""
    families = (family_named(name) for name in family_names())
    for family in sorted((family for family in families if issubclass(family, Cubes)), key=lambda cubes: cubes.folded):
        for n in range(2, 17):
            if arguments in ([], [family.name, str(n)]):
                certify(family, n)


if __name__ == "__main__":
    main(sys.argv[1:])
