"""Checks cables of random fabrics with names of their own: ``python benchmarks/site_names.py --check``.

Each of the first fabrics is imported and compared with its own listings, with and without names=: nothing differs. The
others have one to three exchanges of two ends: the moves are as few as trying all finds, and each wrong cable is named
by the GUIDs and ports of the site, or by its names if there are no GUIDs.
"""

import argparse
import random
import sys
import tempfile
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the fabrics are a part of the tests


def main() -> int:
    """Compare, and print how many fabrics differ from what is expected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--same", type=int, default=200, help="fabrics that are compared with their own listings")
    parser.add_argument("--damaged", type=int, default=1000, help="fabrics with exchanged ends")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true", help="exit with 1 if any differs")
    arguments = parser.parse_args()
    judge = import_module("tests.runs.cable_check.site_judge")
    wrong = {"same": 0, "damaged": 0}
    for kind, count in (("same", arguments.same), ("damaged", arguments.damaged)):
        for number in range(count):
            rng = random.Random(f"{kind} {arguments.seed} {number}")
            with tempfile.TemporaryDirectory() as folder:
                problem = getattr(judge, kind)(rng, Path(folder))
            if problem:
                wrong[kind] += 1
                print(f"{kind} {number}: {problem}", file=sys.stderr)
        print(f"{kind}: {wrong[kind]} of {count} fabrics differ from what is expected")
    return int(arguments.check and any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
