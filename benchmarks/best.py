"""Searches on from the best known designs, and keeps what is better: ``python benchmarks/best.py --n 9 -- seed=2``.

Every design goes through `isoplane search` in a folder of its own, so that its record tells how it was found, and
enters `runs/best/` only after the reference has recomputed it. A front keeps what nothing beats of its old and new
designs. At the end the tables of the pages that show the designs are rewritten. `--verify` recomputes all of them.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from isoplane.objectives import METRICS, Objective, exact_metric, ingredients
from isoplane.runs.records import Record, network_of, read_record, verify, write_record

ROOT = Path(__file__).parents[1]
BEST = ROOT / "runs" / "best"
PAGES = (ROOT / "README.md", ROOT / "docs" / "best.md")
PROGRAM = Path(sys.executable).with_name("isoplane")
FAMILIES = ("hypercube", "folded_hypercube")
WITHOUT_CABLES = ("aspl", "aspl_and_traffic", "max_traffic")
WITH_CABLES = ("cable_length", "cost", "delay", "delay_and_traffic", "delay_paper", "delay_paper_and_traffic")
FRONTS = {"front-delay": "delay", "front-delay_paper": "delay_paper"}
LARGEST_LAYOUT = 12  # the paper's catalogue ends there


def jobs(arguments: argparse.Namespace) -> Iterator[tuple[str, int, str]]:
    """Yield family, dimension and objective of what was asked for."""
    for n, family in product(arguments.n, FAMILIES):
        fronts = tuple(FRONTS) if 8 <= n <= LARGEST_LAYOUT else ()
        for objective in (*WITHOUT_CABLES, *(WITH_CABLES if n <= LARGEST_LAYOUT else ()), *fronts):
            if objective in (arguments.objective or (objective,)) and family in (arguments.family or (family,)):
                yield family, n, objective


def known(family: str, n: int, objective: str) -> list[Path]:
    """Return the files of the best known designs, of a front all of them."""
    name, metric = (objective.partition("-")[0], FRONTS.get(objective))
    files = sorted(BEST.glob(f"{family}-n{n}-{name}-*.json"))
    return [file for file in files if metric is None or read_record(file)["score_names"] == [f"{metric}*max_load"]]


def search(family: str, n: int, objective: str, start: Path | None, words: list[str]) -> list[Record]:
    """Search, and return the records that came out."""
    name, metric = objective.partition("-")[0], FRONTS.get(objective)
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [
            *(PROGRAM, "search", f"network={family}", f"network.n={n}"),
            *(f"objective={name}", f"hydra.run.dir={folder}/run", *words),
            *([] if metric is None else [f"objective.metrics=[{metric},max_traffic]"]),
            *([] if n <= LARGEST_LAYOUT else ["layout=none"]),
            *([] if start is None else [f"warm_start={start}"]),
        ]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr}")
        return [read_record(path) for path in sorted(Path(folder, "run", "records").glob("*.json"))]


def knowledge(record: Record) -> tuple[list[int], bool, list[int]]:
    """Return what makes one record better than another when it is smaller: score, proof, bound."""
    return record["score"], record["status"] != "optimal", [-(low or 0) for low in record["bound"]]


def point(record: Record) -> tuple[int, ...]:
    """Return the place of a design on its front."""
    exact = ingredients(network_of(record))
    return tuple(exact_metric(exact, metric) for metric in record["score_names"][0].split("*") if metric in METRICS)


def survivors(records: list[Record]) -> list[Record]:
    """Return the records of a front that no other beats, one for each point."""
    best: dict[tuple[int, ...], Record] = {}
    for record in sorted(records, key=knowledge):
        best.setdefault(point(record), record)
    return [
        record
        for place, record in best.items()
        if not any(other != place and all(a <= b for a, b in zip(other, place, strict=True)) for other in best)
    ]


def keep(old: list[Path], found: list[Record], *, front: bool) -> int:
    """Replace the old records by better ones, and return how many came in."""
    before = [read_record(path) for path in old]
    kept = survivors([*before, *found]) if front else [min([*before, *found], key=knowledge)]
    news = [record for record in kept if record not in before]
    for record in news:
        if verify(record):
            raise ValueError(f"{record['id']}: the reference does not agree: {verify(record)}")
    written = [write_record(BEST, record) for record in news]
    for path, record in zip(old, before, strict=True):
        if record not in kept and path not in written:
            path.unlink()
    return len(news)


def score_names(objective: str, old: list[Path]) -> list[str]:
    """Return the components of an objective, as records call them; none where no record tells."""
    if objective in FRONTS:
        return [f"{FRONTS[objective]}*max_load"]
    return read_record(old[0])["score_names"] if old else []


def starts_of(family: str, n: int, objective: str, names: list[str]) -> list[Path | None]:
    """Return the best known design for an objective, whatever it was found for; for a front all that nothing beats."""
    judge = Objective(objective, tuple(tuple(name.split("*")) for name in names)) if names else None
    if judge is None:
        return [None]
    points: dict[Path, tuple[tuple[int, ...], tuple[int, ...]]] = {}  # score, and place on a front
    for path in sorted(BEST.glob(f"{family}-n{n}-*.json")):
        exact = ingredients(network_of(read_record(path)))
        points[path] = judge.score(exact), tuple(exact_metric(exact, metric) for metric in judge.components[0])
    ranked = sorted(points, key=lambda path: points[path])
    if objective not in FRONTS:
        return [*ranked[:1]]
    beaten = {
        path
        for path, (_, place) in points.items()
        for _, other in points.values()
        if other != place and all(a <= b for a, b in zip(other, place, strict=True))
    }
    unlike = {points[path][1]: path for path in reversed(ranked) if path not in beaten}
    return [path for path in ranked if path in unlike.values()]


def better(family: str, n: int, objective: str, words: list[str]) -> str:
    """Search on from what is known, keep what is better, and return a line about it."""
    old = known(family, n, objective)
    first, *others = starts_of(family, n, objective, score_names(objective, old))
    found = search(family, n, objective, first, words)
    for start in others:  # a front takes in what was found for something else
        if start not in old:
            found += search(family, n, objective, start, [*words, "stop.evaluations=1"])
    news = keep(old, found, front=objective in FRONTS)
    best = min((read_record(path) for path in known(family, n, objective)), key=knowledge)
    return f"{family} n={n} {objective}: {best['score']} >= {best['bound']} {best['status']}, {news} new"


def verified(path: Path) -> bool:
    """Whether the reference finds in a record what it says; tell if not."""
    differences = verify(read_record(path))
    for difference in differences:
        print(f"{path.name}: {difference}", file=sys.stderr)
    return not differences


def rewrite(page: Path) -> None:
    """Put what `isoplane best` prints now below each of its commands on a page."""

    def printed(block: re.Match[str]) -> str:
        done = subprocess.run([PROGRAM, *block[1].split()], stdout=subprocess.PIPE, text=True, check=True)
        return f"```console\n$ isoplane {block[1]}\n{done.stdout}```"

    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(r"```console\n\$ isoplane (best .*)\n[^`]*```", printed, text), encoding="utf-8")


def main() -> int:
    """Search for each family, dimension and objective in turn; or verify what is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=range(2, 17))
    parser.add_argument("--family", nargs="+", choices=FAMILIES)
    parser.add_argument("--objective", nargs="+", choices=(*WITHOUT_CABLES, *WITH_CABLES, *FRONTS))
    parser.add_argument(
        "--verify", action="store_true", help="search for nothing; recompute every record, on all cores"
    )
    parser.add_argument("words", nargs="*", help="for `isoplane search`, such as stop.seconds=60 seed=2 workers=2")
    arguments = parser.parse_args()
    if arguments.verify:
        files = [path for job in jobs(arguments) for path in known(*job)]
        with ProcessPoolExecutor() as pool:
            right = sum(pool.map(verified, files))
        print(f"{right} of {len(files)} records verified")
        return int(right < len(files))
    for job in jobs(arguments):
        print(better(*job, arguments.words), flush=True)
    for page in PAGES:
        rewrite(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
