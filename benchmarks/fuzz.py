"""Fuzzes the parser of programs: ``python benchmarks/fuzz.py --programs 100000``.

Each text must either parse and round-trip, or be rejected with a one-line error. Prints the number of texts, the number
of valid ones and the time of the slowest; raises an exception at the first failure.
"""

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the fuzzer is a part of the tests


def main() -> None:
    """Fuzz, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    fuzz = import_module("tests.simulator.language.fuzz")
    valid, slowest = 0, 0.0
    begin = time.perf_counter()
    for text in fuzz.fuzzed(arguments.seed, arguments.programs):
        start = time.perf_counter()
        try:
            valid += fuzz.is_valid(text)
        except BaseException:
            print(f"broken by: {text!r}", file=sys.stderr)
            raise
        slowest = max(slowest, time.perf_counter() - start)
    seconds = time.perf_counter() - begin
    print(f"{arguments.programs} programs, {valid} valid, {seconds:.0f} s, slowest {1000 * slowest:.0f} ms")


if __name__ == "__main__":
    main()
