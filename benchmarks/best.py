"""Improve the best known designs by further searches: ``python benchmarks/best.py --n 9 -- seed=2``.

Every design goes through `isoplane search` in a folder of its own, so that its record states its provenance, and
enters `runs/best/` only after the reference has recomputed it. A front keeps the non-dominated designs among old
and new ones. At the end the tables of designs in the documentation are rewritten. `--verify` recomputes every record
instead of searching. `--sources` adds the stored enumerations that prove the bounds to the records; otherwise only
improved records are rewritten.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from math import prod
from pathlib import Path
from typing import TypeVar

from configured_objectives import OBJECTIVES, configured
from pages import replace_table

from isoplane.models import Design
from isoplane.objectives import CABLE_METRICS
from isoplane.objectives.bounds import enumeration_behind
from isoplane.runs.records import Record, network_of, read_record, verify, write_record

ROOT = Path(__file__).parents[1]
BEST = ROOT / "runs" / "best"
PAGE = ROOT / "docs" / "best.md"
BOUNDS = Path(__file__).with_name("bounds.py")
PROGRAM = Path(sys.executable).with_name("isoplane")
FAMILIES = ("hypercube", "folded_hypercube")
RELABELLED = {f"relabelled_{family}": family for family in FAMILIES}  # plane 1 is a permutation of the switches
RELABELLED_SIZES = {"aspl": range(6, 11), "max_traffic": range(6, 9)}  # from where some beat all bases
FRONTS = {
    f"front-{metric}": configured("front", metrics=[metric, "max_traffic"]) for metric in ("delay", "delay_paper")
}
GOALS = {name: objective for name, objective in OBJECTIVES.items() if objective.front is None} | FRONTS
LARGEST_LAYOUT = 12  # dimension; larger cubes need longer cables than the paper's catalogue has
Item = TypeVar("Item")
Point = tuple[int, ...]


def jobs(arguments: argparse.Namespace) -> Iterator[tuple[str, int, str]]:
    """Yield family, dimension and goal of the requested searches."""
    for n, family, goal in product(arguments.n, arguments.family, arguments.objective):
        if family in RELABELLED:
            if n in RELABELLED_SIZES.get(goal, ()):
                yield family, n, goal
        elif (n <= LARGEST_LAYOUT or not GOALS[goal].needs_layout) and (n >= 8 or goal not in FRONTS):
            yield family, n, goal


def known_files(family: str, n: int, goal: str) -> list[Path]:
    """Return the files of the best known designs; for a front, those of all its designs."""
    if family in RELABELLED:  # the names of their files have the number of nodes alone
        files = sorted(BEST.glob(f"relabelled-*-{goal}-*.json"))
        planes = {file: read_record(file)["network"]["plane"] for file in files}
        return [file for file, plane in planes.items() if (plane["family"], plane["n"]) == (RELABELLED[family], n)]
    files = sorted(BEST.glob(f"{family}-n{n}-{GOALS[goal].name}-*.json"))
    names = list(GOALS[goal].score_names)
    return [file for file in files if goal not in FRONTS or read_record(file)["score_names"] == names]


def network_words(family: str, n: int) -> list[str]:
    """Return the words of a search that select its network."""
    if family not in RELABELLED:
        return [f"network={family}", f"network.n={n}"]
    plane = [f"network@network.plane={RELABELLED[family]}", f"network.plane.n={n}", "network.plane.planes=1"]
    return ["network=relabelled", *plane]


def search(family: str, n: int, goal: str, start: Path | None, overrides: list[str]) -> list[Record]:
    """Run a search, and return its records."""
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [
            *(PROGRAM, "search", *network_words(family, n)),
            *(f"objective={GOALS[goal].name}", f"hydra.run.dir={folder}/run", *overrides),
            *([f"objective.metrics=[{goal.partition('-')[2]},max_traffic]"] if goal in FRONTS else []),
            *([] if n <= LARGEST_LAYOUT else ["layout=none"]),
            *([] if start is None else [f"warm_start={start}"]),
        ]
        process = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if process.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))} exited with {process.returncode}: {process.stderr}")
        return [read_record(path) for path in sorted(Path(folder, "run", "records").glob("*.json"))]


def rank_key(record: Record) -> tuple[list[int], bool, bool, list[int]]:
    """Return the key by which records are ranked (smaller is better): score, proof status, bound."""
    unproven = "front" not in record, record["status"] != "optimal"
    return record["score"], *unproven, [-(low or 0) for low in record["bound"]]


def point_of(record: Record, goal: str) -> Point:
    """Return the point of a design on a front, else its score."""
    objective = GOALS[goal] if record["layout"] else GOALS[goal].without_layout()
    return objective.point(Design(network_of(record)))


def non_dominated(items: Iterable[tuple[Item, Point]]) -> list[Item]:
    """Return the items with non-dominated points, the first per point."""
    first: dict[Point, Item] = {}
    for item, point in items:
        first.setdefault(point, item)
    return [
        item
        for point, item in first.items()
        if not any(other != point and all(a <= b for a, b in zip(other, point, strict=True)) for other in first)
    ]


def keep(old: list[Path], found: list[Record], goal: str) -> int:
    """Replace old records by better ones, and return the number of new records."""
    before = [read_record(path) for path in old]
    ranked = sorted([*before, *found], key=rank_key)
    kept = non_dominated((record, point_of(record, goal)) for record in ranked) if goal in FRONTS else ranked[:1]
    new_records = [record for record in kept if record not in before]
    for record in new_records:
        if verify(record):
            raise ValueError(f"{record['id']}: the reference does not agree: {verify(record)}")
    written = [write_record(BEST, record) for record in new_records]
    for path, record in zip(old, before, strict=True):
        if record not in kept and path not in written:
            path.unlink()
    return len(new_records)


def starts_of(family: str, n: int, goal: str) -> list[Path]:
    """Return the best known design for a goal, found for any goal; for a front, all non-dominated ones."""
    if family in RELABELLED:
        return known_files(family, n, goal)
    points = {path: point_of(read_record(path), goal) for path in sorted(BEST.glob(f"{family}-n{n}-*.json"))}
    ranked = sorted(points, key=lambda path: (prod(points[path]), points[path]) if goal in FRONTS else points[path])
    return non_dominated((path, points[path]) for path in ranked) if goal in FRONTS else ranked[:1]


def improve(family: str, n: int, goal: str, overrides: list[str]) -> str:
    """Continue the search from the known designs, keep improvements, and return a line about the result."""
    old, starts = known_files(family, n, goal), starts_of(family, n, goal)
    found = search(family, n, goal, starts[0] if starts else None, overrides)
    for start in starts[1:]:  # a front accepts designs found for other goals
        if start not in old:
            found += search(family, n, goal, start, [*overrides, "stop.evaluations=1"])
    new_records = keep(old, found, goal)
    best = min((read_record(path) for path in known_files(family, n, goal)), key=rank_key)
    return f"{family} n={n} {goal}: {best['score']} >= {best['bound']} {best['status']}, {new_records} new"


def is_verified(path: Path) -> bool:
    """Whether the reference confirms a record; print any differences."""
    differences = verify(read_record(path))
    for difference in differences:
        print(f"{path.name}: {difference}", file=sys.stderr)
    return not differences


def with_source(record: Record) -> Record:
    """Return a record that names the stored enumeration that proves its bound; without one, the unchanged record.

    A complete search needs no other bound, unless cables matter: in that case it prunes by the bounds of its metrics.
    """
    metrics = {metric for name in record["score_names"] for metric in name.split("*")}
    complete = record["provenance"]["strategy"] == "exact" and record["status"] == "optimal"
    source = enumeration_behind(metrics, network_of(record))
    if "bound_source" in record or source is None or (complete and not CABLE_METRICS & metrics):
        return record
    position = list(record).index("bound") + 1  # fields of a record have a fixed order
    fields = list(record.items())
    return dict([*fields[:position], ("bound_source", source.content), *fields[position:]])


def name_sources(files: Iterable[Path]) -> int:
    """Rewrite records that do not name the enumeration that proves their bound; return the number rewritten."""
    old = [read_record(path) for path in files]
    new = [record for record in map(with_source, old) if record not in old]
    for record in new:
        if verify(record):
            raise ValueError(f"{record['id']}: the reference does not agree: {verify(record)}")
        write_record(BEST, record)
    return len(new)


def rewrite(page: Path) -> None:
    """Put the current output of `isoplane best` below each of its commands on a page."""
    for words, name in tables_of(page):
        process = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, text=True, check=True)
        replace_table(page, name, process.stdout.splitlines())


def tables_of(page: Path) -> list[tuple[list[str], str]]:
    """Return the words of each command on a page that prints one of its tables, and the name of that table."""
    shown = re.findall(
        r"^\$ isoplane (best .*)\n```\n\n<!-- (\w+):begin -->$", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [(words.split(), name) for words, name in shown]


def main() -> int:
    """Search for each family, dimension and objective in turn; or verify the records."""
    families = [*FAMILIES, *RELABELLED]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=range(2, 17))
    parser.add_argument("--family", nargs="+", choices=families, default=families)
    parser.add_argument("--objective", nargs="+", choices=list(GOALS), default=list(GOALS))
    parser.add_argument("--verify", action="store_true", help="do not search; recompute every record, on all cores")
    parser.add_argument("--sources", action="store_true", help="do not search; add the sources of bounds to records")
    parser.add_argument("overrides", nargs="*", help="overrides of a search, such as stop.seconds=60 seed=2 workers=2")
    arguments = parser.parse_args()
    files = [path for job in jobs(arguments) for path in known_files(*job)]
    if arguments.sources:
        files = [path for path in files if read_record(path)["network"]["family"] in FAMILIES]
        print(f"{name_sources(files)} of {len(files)} records with a source added")
        return 0
    if arguments.verify:
        with ProcessPoolExecutor() as pool:
            confirmed = sum(pool.map(is_verified, files))
        print(f"{confirmed} of {len(files)} records verified")
        return int(confirmed < len(files))
    for job in jobs(arguments):
        print(improve(*job, arguments.overrides), flush=True)
    rewrite(PAGE)
    subprocess.run([sys.executable, BOUNDS, "--write"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
