"""Ends every verb that writes at seeded moments: ``nice python benchmarks/interruptions.py --check``.

Each verb runs again and again, in a process of its own, and is ended by SIGINT, SIGTERM or SIGKILL at a seeded moment,
half of them at an operation on a file of its folder, or has less room than it needs: a limit on the size of a file, or
a small disk (a tmpfs, which only root can mount). Afterwards every file is either that of an undisturbed run or well
formed, none is hidden unless the program was killed, and exit code and messages say what happened. Some interrupted
searches are resumed, and must end like the undisturbed one.
"""

import argparse
import csv
import io
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import yaml
from interrupted_run import Fault, Outcome, run

from isoplane.models.files.output_file import TEMPORARY
from isoplane.runs.cli.main import main as isoplane
from isoplane.runs.folder.folder_lock import LOCK

sys.path.append(str(Path(__file__).parents[1]))  # listings of fabrics are a part of the tests

TORUS = ("network=torus", "network.shape=[3]", "network.node_cable_m=1.0")
RUN = "hydra.run.dir=out"
CASES: dict[str, tuple[str, ...]] = {
    "search": ("network.n=6", "strategy=anneal", "stop.evaluations=300000", RUN),
    "simulate": ("network.n=3", "network.generators=identical", "measurement=rough", "loads=[0.2]", "saturation=false",
                 RUN),
    "reproduce": ("experiment=shimizu/fig7", "sizes=[2,3]", RUN),
    "compare": ("nodes=16", "ports=8", "workers=1", RUN),
    "export": ("network=torus", "network.shape=[3,3]", "format=[edges,graphml,json,opensm]", RUN),
    "import": ("file=../fabric.edges", RUN),
    "report": (*TORUS, RUN),
    "evaluate": (*TORUS, "save=out/record.json"),
    "check-cables": (*TORUS, "ports=ignore", "found=../found.txt", "save=out/differences.json"),
}  # fmt: skip
EDGES = "0 1\n1 2\n2 0\n"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
KINDS = (*(number.name for number in SIGNALS), "size", "disk")
WORKERS_END_S, POLL_S = 10, 0.1
ROOM = "expected a place with room: files already written are intact"
Files = dict[str, bytes]


def files_in(folder: Path) -> Files:
    """Return the content of every file by its path, locks aside."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != LOCK]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def is_well_formed(name: str, content: bytes) -> bool:
    """Whether a file is whole, by its format alone."""
    suffix = Path(name).suffix
    try:
        if suffix == ".png":
            return content.endswith(b"IEND\xaeB`\x82")
        text = content.decode("utf-8")
        if suffix == ".json":
            json.loads(text)
        elif suffix == ".jsonl":
            return text.endswith("\n") and all(json.loads(line) is not None for line in text.splitlines())
        elif suffix == ".csv":
            lengths = {len(row) for row in csv.reader(io.StringIO(text, newline=""))}
            return text.endswith("\n") and len(lengths) == 1
        elif suffix == ".html":
            return text.rstrip().endswith("</html>")
        elif suffix == ".svg":
            ET.fromstring(text)
        elif suffix == ".yaml":
            return isinstance(yaml.safe_load(text), dict) and text.endswith("\n")
        else:
            return False
    except (ValueError, ET.ParseError, yaml.YAMLError):
        return False
    return True


@dataclass(frozen=True)
class Undisturbed:
    """Two runs without a fault: what every run that is not ended writes, and with which bytes."""

    files: Files
    fixed: frozenset[str]  # names of files with the same bytes in both
    code: int
    seconds: float
    operations: int


def warm_up(verb: str, root: Path) -> None:
    """Run a verb in this process, so that those forked from it have imported its modules."""
    if verb == "compare":  # a fork server of this process could not serve those forked from it
        import_module("isoplane.runs.cli.compare")
        return
    with chdir(new_folder(verb, root)), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        isoplane([verb, *CASES[verb]])


def undisturbed(verb: str, root: Path) -> Undisturbed:
    """Run a verb twice without a fault."""
    runs, written = [], []
    for _ in range(2):
        folder = new_folder(verb, root)
        runs.append(run((verb, *CASES[verb]), folder, None))
        written.append(files_in(folder / "out"))
    counted = root / "operations"
    run((verb, *CASES[verb]), new_folder(verb, root), Fault("count", counted=counted))
    fixed = frozenset(name for name, content in written[0].items() if written[1].get(name) == content)
    seconds = min(outcome.seconds for outcome in runs)
    if runs[0].code not in (0, 5) or not written[0]:
        raise RuntimeError(f"{verb}: {runs[0].err}")
    return Undisturbed(written[0], fixed, runs[0].code, seconds, int(counted.read_text()))


def new_folder(verb: str, root: Path) -> Path:
    """Return a new folder in which a verb runs."""
    folder = root / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if verb in ("evaluate", "check-cables"):
        (folder / "out").mkdir()
    return folder


def faults(kind: str, usual: Undisturbed, moments: int, rng: random.Random) -> Iterator[Fault]:
    """Yield seeded faults of a kind for a verb."""
    largest, total = max(map(len, usual.files.values())), sum(map(len, usual.files.values()))
    for number in range(moments):
        if kind == "size":
            yield Fault(kind, int(largest ** rng.random()) - 1)
        elif kind == "disk":
            yield Fault(kind, rng.randrange(4096, total + 16384, 4096))
        elif number % 2:
            yield Fault(kind, seconds=rng.uniform(0, 1.2 * usual.seconds))
        else:
            yield Fault(kind, rng.randint(1, usual.operations))


def problems(verb: str, usual: Undisturbed, fault: Fault, outcome: Outcome, found: Files) -> Iterator[str]:
    """Yield what is wrong after a run."""
    killed = outcome.code == -signal.SIGKILL
    for name, content in found.items():
        if TEMPORARY.fullmatch(name.split("/")[-1]) or any(TEMPORARY.fullmatch(part) for part in name.split("/")):
            if not killed:
                yield f"{name} is left"
        elif name in usual.fixed:
            if content != usual.files[name]:
                yield f"{name} differs"
        elif not is_well_formed(name, content):
            yield f"{name} is not whole"
    if "Traceback" in outcome.err:
        yield f"a traceback: {outcome.err.splitlines()[-1]}"
    lines = outcome.err.splitlines()
    said = [line for line in lines if line.startswith(f"isoplane {verb}: ") or "interrupted" in line]
    if outcome.code == usual.code:
        if missing := set(usual.files) - set(found) - {name for name in usual.files if name.startswith("records/")}:
            yield f"exit code {outcome.code} without {min(missing)}"
    elif killed:
        if fault.kind != "SIGKILL":
            yield "killed"
    elif fault.kind in ("SIGINT", "SIGTERM"):
        if outcome.code != 130 or not any("interrupted" in line for line in said):
            yield f"exit code {outcome.code}: {lines[-1:]}"
    elif outcome.code != 2 or len(said) != 1 or ROOM not in said[0]:
        yield f"exit code {outcome.code}: {lines[-1:]}"


def after(verb: str, usual: Undisturbed, fault: Fault, folder: Path) -> tuple[Outcome, list[str]]:
    """Run a verb with a fault in a folder, and return how it ended and what is wrong."""
    outcome = run((verb, *CASES[verb]), folder, fault)
    wrong = list(problems(verb, usual, fault, outcome, files_in(folder / "out")))
    resumable = verb == "search" and (folder / "out" / "config.yaml").exists() and fault.kind != "disk"
    if "search resume=" in outcome.err and not (folder / "out" / "config.yaml").exists():
        wrong.append("cannot be resumed as said")
    if resumable and outcome.code != usual.code and fault.moment % 4 == 0:
        resumed = run(("search", "resume=out"), folder, None)
        records = {name: content for name, content in files_in(folder / "out").items() if name.startswith("records/")}
        expected = {name: content for name, content in usual.files.items() if name.startswith("records/")}
        if resumed.code != usual.code or records != expected:
            wrong.append(f"resumed otherwise: {resumed.err.splitlines()[-1:]}")
    return outcome, wrong


def with_room(verb: str, root: Path, room: int, use: Callable[[Path], list[str]]) -> list[str] | None:
    """Use a disk of `room` bytes as the folder of a verb; None if it cannot be mounted."""
    folder = new_folder(verb, root)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "none", folder], capture_output=True)
    if mounted.returncode:
        return None
    try:
        if verb in ("evaluate", "check-cables"):
            (folder / "out").mkdir()
        return use(folder)
    finally:
        unmount(folder)


def unmount(folder: Path) -> None:
    """Unmount a disk, as soon as the workers of the verb, which may outlive it by a moment, have left its folder."""
    for _ in range(int(WORKERS_END_S / POLL_S)):
        if subprocess.run(["umount", folder], capture_output=True).returncode == 0:
            return
        time.sleep(POLL_S)
    subprocess.run(["umount", folder], check=True)


def one(verb: str, usual: Undisturbed, fault: Fault, root: Path) -> tuple[Outcome, list[str]] | None:
    """Run a verb with a fault; None if the fault is not possible here."""
    if fault.kind != "disk":
        return after(verb, usual, fault, new_folder(verb, root))
    results: list[tuple[Outcome, list[str]]] = []

    def use(folder: Path) -> list[str]:
        results.append(after(verb, usual, fault, folder))
        return results[0][1]

    return None if with_room(verb, root, fault.moment, use) is None else results[0]


def campaign(verb: str, kinds: Sequence[str], moments: int, seed: int) -> tuple[list[str], Counter[str]]:
    """End a verb at seeded moments; return what is wrong, and the number of runs by kind of fault and exit code."""
    counts: Counter[str] = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        (root / "fabric.edges").write_text(EDGES)
        (root / "found.txt").write_text(listing())
        warm_up(verb, root)
        usual = undisturbed(verb, root)
        for kind in kinds:
            for fault in faults(kind, usual, moments, random.Random(f"{verb} {kind} {seed}")):
                result = one(verb, usual, fault, root)
                if result is None:
                    counts[f"{kind} not possible"] += 1
                    break
                counts[f"{kind} {result[0].code}"] += 1
                wrong += [f"{verb}, {fault}: {problem}" for problem in result[1]]
    return wrong, counts


def listing() -> str:
    """Return what ibnetdiscover says of a ring of three switches, of which two have each other's node."""
    fabrics = import_module("tests.runs.formats.fabrics")
    ring = [((f"S{a}", 1), (f"S{(a + 1) % 3}", 2)) for a in range(3)]
    nodes = [((f"S{a}", 3), (f"N{b}", 1)) for a, b in enumerate((0, 2, 1))]
    return str(fabrics.discovery_text(ring + nodes))


def main() -> int:
    """Run the campaigns of all verbs, and print a line for each; with --check, fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbs", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="exit with 1 if anything is wrong")
    arguments = parser.parse_args()
    failures = []
    for verb in arguments.verbs:
        wrong, counts = campaign(verb, arguments.kinds, arguments.moments, arguments.seed)
        codes = ", ".join(f"{what}: {number}" for what, number in sorted(counts.items()))
        print(f"{verb:<12}  {len(wrong)} wrong  {codes}", flush=True)
        for line in wrong:
            print(f"  {line}", flush=True)
        failures += wrong
    return 1 if arguments.check and failures else 0


if __name__ == "__main__":
    sys.exit(main())
