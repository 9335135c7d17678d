"""Search the instances of the public benchmark with one setting, and write its tables.

`python benchmarks/instances.py --seconds 600 --workers 2 --seeds 1` searches all of
`benchmarks/instances/instances.yaml`; `--only order_degree/36/3 price` chooses instances, and all of a problem. Each
search that has ended is kept in --folder at once, with the edges of its graph, whose distances `check.py` has counted.
The same command goes on where it was interrupted, and adds other seeds. The tables have the best and the mean of the
chosen seeds, and by how much these are above the best known value and the lower bound. `--write` puts those of the
problems of --only into `benchmarks/instances/README.md`, each below the command that fills it, and beside it, into
`records.csv` and `graphs/`, their best graphs that this program has found with any setting. With --check the exit code
is 1 if a mean is further above the best known value than the goal of the instance, or a diameter above the best known
one.
"""

import argparse
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from instance_searches import HOME, Instance, Result, instances, results_in, search
from pages import replace_table

from isoplane.models import InputError
from isoplane.models.files.exact_text import csv_text
from isoplane.models.files.output_file import append_line, write_atomically

RECORDS, GRAPHS, PAGE = HOME / "records.csv", HOME / "graphs", HOME / "README.md"
RESULTS = "results.csv"
MOST_BYTES = 200_000  # of a graph that is kept in the repository


def row_of(instance: Instance, found: Sequence[Result], record: Result | None) -> list[str]:
    """Return the cells of an instance: best known value and bound, and what was found."""
    known, least = instance.known, instance.least_diameter
    best = min(found, key=lambda each: each.order, default=None)
    values = [each.value for each in found if each.value is not None]
    mean = fmean(values) if values and len(values) == len(found) else None

    def above(value: float | None, other: Fraction | None) -> str:
        return "" if value is None or other is None else f"{round(100 * (value / float(other) - 1), 2) + 0:+.2f} %"

    def above_known(value: float | None, results: Iterable[Result | None]) -> str:
        longer = max((each.diameter or 0 for each in results if each), default=0) - instance.row.get("diameter", 0)
        return f"diameter {longer:+d}" if longer > 0 and least is not None else above(value, known)

    def cell(diameter: int | None, value: Fraction | float | None) -> str:
        return instance.text(value) if diameter is None or value is None else f"{diameter}, {instance.text(value)}"

    of_record = "" if record is None else f"{cell(record.diameter, record.value)} ({record.seconds:g} s)"
    value = None if best is None else best.value
    return [
        instance.name,
        cell(instance.row.get("diameter"), known),
        cell(least, instance.bound),
        "" if best is None else cell(best.diameter, value),
        instance.text(mean),
        str(len(found) or ""),
        above_known(value, [best]),
        above_known(mean, found),
        above(value, instance.bound),
        of_record,
    ]


def table(chosen: Sequence[Instance], results: Sequence[Result], records: Mapping[str, Result]) -> list[str]:
    """Return the lines of a table of instances of one problem."""
    problem, first = chosen[0].problem, chosen[0].row
    unit = "US$ per node" if problem == "price" else "diameter, ASPL" if "diameter" in first else "ASPL"
    rows = [[f"{problem.replace('_', '/')} ({unit})", "best known", "bound", "best", "mean", "seeds"]]
    rows[0] += ["best above known", "mean above known", "best above bound", "record (time limit)"]
    for instance in chosen:
        found = [each for each in results if each.instance == instance.title]
        rows.append(row_of(instance, found, records.get(instance.title)))
    head, *lines = (f"| {' | '.join(row)} |" for row in rows)
    return [head, f"|{'---|' * len(rows[0])}", *lines]


def missed(instance: Instance, found: Sequence[Result]) -> bool:
    """Whether results miss the goal of an instance."""
    if "goal" not in instance.row or not found or instance.known is None:
        return False
    values = [each.value for each in found if each.value is not None]
    most = float(instance.known) * (1 + instance.row["goal"] / 100)
    is_far = any((each.diameter or 0) > instance.row.get("diameter", 0) for each in found)
    # The gaps behind the listed values have three decimals of a percent.
    return is_far or len(values) < len(found) or fmean(values) > most * (1 + 1e-5)


def keep_records(results: Sequence[Result], records: dict[str, Result], folder: Path) -> None:
    """Add results that are better than all records, with their graphs unless these are large."""
    for result in results:
        name = result.instance.replace("/", "-")
        if result.value is None or (result.instance in records and records[result.instance].order <= result.order):
            continue
        records[result.instance] = result
        GRAPHS.mkdir(exist_ok=True)
        for old in GRAPHS.glob(f"{name}.*"):
            old.unlink()
        files = list(folder.glob(f"{name}-{result.seed}.*"))
        if sum(file.stat().st_size for file in files) <= MOST_BYTES:
            for file in files:
                shutil.copy(file, GRAPHS / file.name.replace(f"{name}-{result.seed}.", f"{name}."))
    rows = [list(asdict(each).values()) for _, each in sorted(records.items())]
    write_atomically(RECORDS, csv_text([field.name for field in fields(Result)], rows))


def main() -> int:
    """Search the chosen instances, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = instances()
    problems = list(dict.fromkeys(each.problem for each in every))
    names = [*problems, *(each.title for each in every)]
    parser.add_argument("--only", nargs="+", choices=names, default=problems, metavar="NAME")
    parser.add_argument("--seconds", type=float, default=60, help="time limit of each search")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(1, 11)))
    parser.add_argument("--folder", type=Path, default=Path("outputs/instances"), help="what was found so far")
    parser.add_argument("--write", action="store_true", help="put the tables and the best graphs into the repository")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    chosen = [each for each in every if not {each.title, each.problem}.isdisjoint(options.only)]
    options.folder.mkdir(parents=True, exist_ok=True)
    file, columns = options.folder / RESULTS, [field.name for field in fields(Result)]

    def with_setting() -> list[Result]:
        setting = options.seconds, options.workers
        return [
            each for each in results_in(file) if (each.seconds, each.workers) == setting and each.seed in options.seeds
        ]

    done = {(each.instance, each.seed) for each in with_setting()}
    refused = set[str]()
    for seed in options.seeds:
        for instance in chosen:
            if (instance.title, seed) in done or instance.title in refused:
                continue
            try:
                result = search(instance, seed, options.seconds, options.workers, options.folder)
            except InputError as error:
                refused.add(instance.title)
                print(f"{instance.title}: not searched: {error}", file=sys.stderr)
                continue
            if not file.exists():
                append_line(file, ",".join(columns))
            append_line(file, csv_text([], [list(asdict(result).values())]).strip())
            print(f"{result.instance} seed={seed}: {result.diameter or ''} {result.value}", flush=True)
    results, records = with_setting(), {each.instance: each for each in results_in(RECORDS)}
    shown = {each.problem: list[Instance]() for each in chosen}
    for each in every if options.write else chosen:
        shown.get(each.problem, []).append(each)
    if options.write:
        titles = {each.title for rows in shown.values() for each in rows}
        keep_records([each for each in results_in(file) if each.instance in titles], records, options.folder)
    setting = f"--seconds {options.seconds:g} --workers {options.workers} --seeds {' '.join(map(str, options.seeds))}"
    for problem, rows in shown.items():
        lines = table(rows, results, records)
        print("\n".join([*lines, ""]))
        if options.write:
            command = f"python benchmarks/instances.py --only {problem} {setting}"
            replace_table(PAGE, problem, [f"By `{command}`:", "", *lines])
    misses = [each.title for each in chosen if missed(each, [one for one in results if one.instance == each.title])]
    return int(options.check and bool(misses))


if __name__ == "__main__":
    sys.exit(main())
