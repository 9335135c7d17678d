"""Makes the certificates that `data/` holds: ``python -m isoplane.objectives.bounds``; an hour for n = 12.

With arguments only those of a family and a dimension: ``python -m isoplane.objectives.bounds hypercube 5``.
"""

import sys

from isoplane.models import Layout, PriceList, SwitchModel, cable_table

from .delays import certify_delay
from .link_loads import certify_loads
from .sums import certify_sum

LARGEST = {"hypercube": 12, "folded_hypercube": 16}  # plain cubes of n = 13 take hours
LARGEST_WITH_CABLES = 12


for family, largest in LARGEST.items():
    for n in range(3, largest + 1):
        if sys.argv[1:] in ([], [family, str(n)]):
            folded = family == "folded_hypercube"
            print(f"{family} n={n}: sum of distances at least {certify_sum(n, folded)}", file=sys.stderr)
            if n <= LARGEST_WITH_CABLES:
                certify_loads(n, folded)
                certify_delay(cable_table(n, Layout(), PriceList()), SwitchModel().units(), n, folded)
