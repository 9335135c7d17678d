"""Fuzzes parsers: ``python benchmarks/fuzz.py --programs 100000``, or ``--files 20000 --check``.

Each text of a program must either parse and round-trip, or be rejected with a one-line error; each of the given number
of files for every reader of fabrics and graphs must be read, or be rejected likewise. Prints the number of texts, the
number of valid ones and the time of the slowest; raises an exception at the first failure. ``--check`` fails if a file
takes more than 10 s, or the process more than 1 GB.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the fuzzers are a part of the tests
MAX_SECONDS, MAX_BYTES = 10, 10**9


def main() -> None:
    """Fuzz, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, help="100000 without --files")
    parser.add_argument("--files", type=int, default=0, help="for each reader")
    parser.add_argument("--readers", nargs="*", help="only these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    slowest = 0.0
    programs = (0 if arguments.files else 100_000) if arguments.programs is None else arguments.programs
    if programs:
        fuzz = import_module("tests.simulator.language.fuzz")
        slowest = _tried("programs", fuzz.fuzzed(arguments.seed, programs), fuzz.is_valid)
    if arguments.files:
        slowest = max(slowest, _readers(arguments.readers, arguments.seed, arguments.files))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if arguments.check:
        print(f"slowest {slowest:.2f} s of {MAX_SECONDS}, memory {peak / 1e6:.0f} MB of {MAX_BYTES / 1e6:.0f}")
        sys.exit(slowest > MAX_SECONDS or peak > MAX_BYTES)


def _readers(names: Iterable[str] | None, seed: int, files: int) -> float:
    """Fuzz the readers of fabrics and graphs; return the time of the slowest file in s."""
    fuzz = import_module("tests.runs.formats.fuzz")
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or fuzz.READERS:
            path = Path(folder) / f"fuzzed{fuzz.READERS[name].suffix}"

            def is_read(content: bytes, name: str = name, path: Path = path) -> bool:
                path.write_bytes(content)
                return bool(fuzz.is_read(name, path))

            slowest = max(slowest, _tried(f"files for {name}", fuzz.fuzzed(name, seed, files), is_read))
    return slowest


def _tried(what: str, texts: Iterable[str | bytes], is_valid: Callable[..., bool]) -> float:
    """Try all texts, and print how many are valid; return the time of the slowest in s."""
    count, valid, slowest = 0, 0, 0.0
    begin = time.perf_counter()
    for text in texts:
        start = time.perf_counter()
        try:
            valid += is_valid(text)
        except BaseException:
            print(f"broken by: {text!r}", file=sys.stderr)
            raise
        count, slowest = count + 1, max(slowest, time.perf_counter() - start)
    seconds = time.perf_counter() - begin
    print(f"{count} {what}, {valid} valid, {seconds:.0f} s, slowest {1000 * slowest:.0f} ms", flush=True)
    return slowest


if __name__ == "__main__":
    main()
