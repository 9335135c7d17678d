"""Names the mutants that the tests of another revision kill and these tests do not.

`nice python benchmarks/mutants.py --other FOLDER --work FOLDER` draws mutants by a seed from the function bodies that
this checkout and another one (with a `.venv`) both have, runs the tests of both once with the lines of the mutants
marked, then each mutant against the tests that reach its line: the fastest first, until one fails or the next would
pass the limit of seconds. The other checkout runs only the mutants that these tests do not kill. What was done is kept
in the work folder, and a second call goes on from there. A checkout must have no uncommitted changes: its files are
changed and restored. With --check the exit code is 1 if the other tests kill one of those mutants.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from mutation import Mutant, draw, functions, marked, mutated, read_mutants, write_mutants

ROOT = Path(__file__).parents[1]
SLOWER = 5  # times: a mutant's tests run on a busy machine, and a mutant may never end
ARGUMENT_LIMIT = 400  # tests of one run


def run_tests(checkout: Path, arguments: list[str], hits: Path | None = None, timeout: float | None = None) -> bool:
    """Run tests in a checkout, and tell whether all passed."""
    python = checkout / ".venv/bin/python"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    if hits:
        environment |= {"ISOPLANE_MUTANT_HITS": str(hits), "PYTHONPATH": str(Path(__file__).parent)}
        command += ["-p", "mutant_hits"]
    output = None if hits else subprocess.DEVNULL
    try:
        result = subprocess.run(command, cwd=checkout, env=environment, stdout=output, stderr=output, timeout=timeout)
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0  # a mutant may break the import of the tests, too


def record(checkout: Path, mutants: dict[int, Mutant], folder: Path) -> None:
    """Run all tests with the lines of mutants marked, unless that was done."""
    folder.mkdir(parents=True, exist_ok=True)
    if subprocess.run(["git", "status", "--porcelain"], cwd=checkout, capture_output=True, check=True).stdout:
        raise SystemExit(f"{checkout}: has uncommitted changes")
    if (folder / "recorded").exists():
        return
    for name in "hits.txt", "times.jsonl":
        (folder / name).unlink(missing_ok=True)
    texts = marked(checkout, mutants)
    originals = {path: path.read_text() for path in texts}
    try:
        for path, text in texts.items():
            path.write_text(text)
        run_tests(checkout, ["-n", "2", "--dist", "worksteal"], folder)
    finally:
        for path, text in originals.items():
            path.write_text(text)
    (folder / "recorded").touch()


def tests_by_mutant(folder: Path, limit: float) -> dict[int, tuple[list[str], float]]:
    """Return the tests that reach each mutant, the fastest first, up to a limit of seconds, and their seconds."""
    seconds: dict[str, float] = defaultdict(float)
    failed = set()
    for line in (folder / "times.jsonl").read_text().splitlines():
        test, duration, outcome = json.loads(line)
        seconds[test] += duration
        if outcome == "failed":
            failed.add(test)
    reached: dict[int, set[str]] = defaultdict(set)
    for line in (folder / "hits.txt").read_text().splitlines():
        number, _, test = line.partition(" ")
        if test in seconds and test not in failed:
            reached[int(number)].add(test)
    chosen = {}
    for mutant, tests in reached.items():
        total = 0.0
        first: list[str] = []
        for test in sorted(tests, key=seconds.__getitem__)[:ARGUMENT_LIMIT]:
            if first and total + seconds[test] > limit:
                break
            total += seconds[test]
            first.append(test)
        chosen[mutant] = first, total
    return chosen


def judge(checkout: Path, mutants: dict[int, Mutant], folder: Path, limit: float) -> dict[int, str]:
    """Return the fate of each mutant: killed, survived, or unreached."""
    path = folder / "fates.jsonl"
    fates = dict(map(json.loads, path.read_text().splitlines())) if path.exists() else {}
    tests = tests_by_mutant(folder, limit)
    for number, mutant in mutants.items():
        if number in fates:
            continue
        fates[number] = "unreached"
        if number in tests:
            source, text = mutated(checkout, mutant)
            original, stat = source.read_text(), source.stat()
            try:
                source.write_text(text)
                # A compiled module is known by its time in seconds: neither text may be taken for the other.
                os.utime(source, (stat.st_mtime + 1000 + number,) * 2)
                first, seconds = tests[number]
                passed = run_tests(checkout, ["-x", *first], timeout=SLOWER * (seconds + 20))
            finally:
                source.write_text(original)
                os.utime(source, (stat.st_mtime,) * 2)
            fates[number] = "survived" if passed else "killed"
        with path.open("a") as file:
            file.write(json.dumps([number, fates[number]]) + "\n")
        print(f"{number} {fates[number]}: {mutant.function}: {mutant.before} -> {mutant.after}", flush=True)
    return fates


def main(arguments: list[str] | None = None) -> int:
    """Draw, record, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", type=Path, required=True, help="the other checkout, with a .venv")
    parser.add_argument("--work", type=Path, required=True, help="folder that keeps what was done")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds of tests for each mutant")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(arguments)
    drawn = chosen.work / "mutants.json"
    if not drawn.exists():
        chosen.work.mkdir(parents=True, exist_ok=True)
        write_mutants(drawn, draw(ROOT, chosen.other.resolve(), chosen.seed, chosen.count))
    mutants = dict(enumerate(read_mutants(drawn)))
    checkout, work = chosen.other.resolve(), chosen.work.resolve()
    both = functions(ROOT).keys() & functions(checkout).keys()
    common = {number: mutant for number, mutant in mutants.items() if (mutant.function, mutant.body) in both}
    record(ROOT, common, work / "this")
    record(checkout, common, work / "other")
    these = judge(ROOT, common, work / "this", chosen.limit)
    missed = {number: mutant for number, mutant in common.items() if these[number] != "killed"}
    others = judge(checkout, missed, work / "other", chosen.limit)
    print(f"{len(common)} mutants: these tests kill {len(common) - len(missed)}")
    lost = [number for number in missed if others[number] == "killed"]
    for number in lost:
        mutant = missed[number]
        print(f"only by the other tests: {mutant.function}: {mutant.before} -> {mutant.after} ({these[number]})")
    return int(chosen.check and bool(lost))


if __name__ == "__main__":
    sys.exit(main())
