"""Makes the certificates that `data/` holds: ``python -m isoplane.objectives.bounds``."""

import sys

from .certificates import write_certificate

LARGEST = {False: 12, True: 16}

for folded, largest in LARGEST.items():
    for n in range(3, largest + 1):
        print(f"{'folded_' * folded}hypercube n={n}: {write_certificate('lifted', n, folded)}", file=sys.stderr)
