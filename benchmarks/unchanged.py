"""Compares what the program writes with what another revision of it writes, byte for byte.

`nice python benchmarks/unchanged.py --revision REVISION --check` runs the commands of `unchanged_commands.py` in this
installation and in a new one of the revision, in a process each at the same time, and compares exit codes, output and
all files of every command. What may differ is replaced in both, and is listed in EXCEPTIONS. It prints a line for each
command, with the first difference, and exits with 1 if there is any. `--other FOLDER` is a checkout with a `.venv`
in place of a revision, `--only SUBSTRING` selects cases.
"""

import argparse
import fnmatch
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from unchanged_commands import VERBS
from unchanged_searches import SEARCH

ROOT = Path(__file__).parents[1]
INPUTS = Path(__file__).with_name("unchanged_inputs")
CASES = {
    f"{verb}: {title}": case for verb, cases in {**VERBS, "search": SEARCH}.items() for title, case in cases.items()
}
TIMEOUT_S = 1200
CODE, OUT, ERR = "exit code", "standard output", "standard error"
SHOWN = 100  # characters of a line that differs

Results = dict[str, bytes]  # what a command wrote, by the name of the file or stream


@dataclass(frozen=True)
class Exempt:
    """Text that may differ between two revisions, or between two runs of one."""

    files: str  # names of the files or streams
    pattern: str  # of which groups are kept
    reason: str

    def replaced_in(self, content: bytes) -> tuple[bytes, int]:
        """Return a content without this text, and the number of places."""
        pattern = re.compile(self.pattern.encode(), re.MULTILINE | re.DOTALL)
        return pattern.subn(lambda match: b"*".join(group or b"" for group in match.groups(b"")), content)


# Options that were added since the revision with which the program is compared.
ADDED = (
    "(?:benchmarks|cache|chip_mm2|format|half_width_percent|jobs|lookup_load|lookup_nj|multiples|operations_per_count|packet_bytes|problem_class|"
    "processes_per_node|processors_per_node|readings|routing_ns|stages_ns|static_mw|subject_to|switch|table_interval_ns)"
)
ADDED_FILES = r"tit/(?:README\.md|hosts)"  # likewise, that exports write
EXCEPTIONS = (
    Exempt("*.yaml", r"^page:\n  name: report\n", "an added group"),
    Exempt("*.yaml", rf"^ *{ADDED}: (?:null|table|[\d.]+)\n", "added options"),
    Exempt("*.json", rf'"{ADDED}": ?(?:null|[\d.]+),\s*|,\s*"{ADDED}": ?(?:null|[\d.]+)', "added options"),
    Exempt(
        "*.html", rf"&#34;{ADDED}&#34;: ?(?:null|[\d.]+),\s*|,\s*&#34;{ADDED}&#34;: ?(?:null|[\d.]+)", "added options"
    ),
    Exempt("*", r"()\b(?:assumed_cable|cables?)_m\b()", "names of the assumed and of the total length of cables"),
    Exempt("*manifest.json", rf',\s*\{{[^{{}}]*"{ADDED_FILES}"[^{{}}]*\}}', "added files"),
    Exempt(OUT, rf"^[^\n]*/{ADDED_FILES}\n", "added files"),
    Exempt(ERR, r"^job \d+ of \d+: [^\n]*\n", "the number of a job of a sweep"),
    Exempt(ERR, r"^ *[\d.,]+ s(?: since the start)?  [^\n]*\n", "lines of progress, at moments of the clock"),
    Exempt(ERR, r"^[^\n]*\d+ of \d+ (?:families|designs)[^\n]*\n", "lines of progress of a comparison"),
    Exempt(OUT, r"( evaluations in )[\d.]+( s, stopped )", "seconds of a search"),
    Exempt(OUT, r"(  evaluations +\d+ +)[\d.]+()", "seconds of a search"),
    Exempt("*history.csv", r"^()[\d.]+(,)", "seconds of a search"),
    Exempt("*summary.json", r'("seconds": )[\d.e-]+()', "seconds of a search"),
    Exempt("*summary.json", r'(?:,\s*"printed_(?:bound|title)": ?(?:null|-?[\d.e+-]+|"[^"]*"))', "added fields"),
    Exempt("*.html", r"(<dt>Time</dt><dd>)[^\n]*()", "seconds of a search"),
    Exempt("*.html", r'(<section id="convergence">).*?(</section>)', "scores drawn over seconds"),
    Exempt("*checkpoint/*.json", r'("sha256":)"\w+"()', "hashes, of seconds too"),
    Exempt("*checkpoint/clock.json", r'("seconds":)[\d.e-]+()', "seconds of a search"),
    Exempt("*checkpoint/exact.json", r'("(?:seconds|forecast)":|"squares":\[)[^]}"]*()', "seconds of an exact search"),
    Exempt("*.json", r'("revision": )"[^"]*"()', "the revision"),
    Exempt("*.html", r"(<dt>Revision</dt><dd>)[^\n]*()", "the revision"),
    Exempt("*", r"()\b\d+\.\d+\.dev\d+\+g[0-9a-f]+()", "the version"),
    Exempt("*.json", r'("uncommitted_changes": )\w+()', "whether the program differs from its revision"),
    Exempt("*multirun.yaml", r"(\bisoplane\.runs\.cli\.)\w+(\.Leftovers)", "a module that only Hydra imports"),
    Exempt("*multirun.yaml", r"^(  job:\n    name: )\w+()$", "the module that Hydra names a job after"),
    Exempt("*-points.jsonl", r'^(\{"id": )"\w+"()', "hashes, of the revision too"),
    Exempt("*.json", r'("versions": )\{[^}]*\}()', "versions of libraries"),
    Exempt("*.html", r"(<dt>Versions</dt><dd>)[^\n]*()", "versions of libraries"),
)


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Yield a folder with a revision and its own environment."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "checkout"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, revision], cwd=ROOT, check=True)
        try:
            subprocess.run(["make", "--silent", ".venv/.installed"], cwd=folder, check=True, stdout=sys.stderr)
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=ROOT, check=True)


def expanded(command: str, folder: Path) -> list[str]:
    """Return the words of a command, of which one with `*` becomes the files that it matches."""
    words = []
    for word in shlex.split(command):
        key, _, pattern = word.rpartition("=")
        names = [path.relative_to(folder).as_posix() for path in sorted(folder.glob(pattern))] if "*" in word else []
        words.append(f"{key}={','.join(names)}" if names else word)
    return words


def run(program: Path, command: str, folder: Path) -> Results:
    """Run a command in a folder; return its exit code, its output and all files there."""
    words = [program, *expanded(command, folder)]
    ended = subprocess.run(words, cwd=folder, capture_output=True, timeout=TIMEOUT_S, check=False)
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {
        CODE: str(ended.returncode).encode(),
        OUT: ended.stdout,
        ERR: ended.stderr,
        **{path.relative_to(folder).as_posix(): path.read_bytes() for path in paths},
    }


def normal(results: Results, folder: Path, counts: Counter[Exempt]) -> Results:
    """Return results without the text that may differ, which is counted."""
    compared = {}
    for name, content in results.items():
        if re.search(rf"/{ADDED_FILES}$", name):
            continue
        content = content.replace(str(folder).encode(), b"FOLDER")
        for exempt in EXCEPTIONS:
            if fnmatch.fnmatch(name, exempt.files):
                content, number = exempt.replaced_in(content)
                counts[exempt] += number
        compared[name] = content
    return compared


def difference(name: str, here: bytes | None, there: bytes | None) -> str | None:
    """Return the first difference between two contents of a file or stream, if there is one."""
    if here == there:
        return None
    if here is None or there is None:
        return f"{name}: only in {'this' if there is None else 'the other'} revision"
    lines = zip_longest(here.split(b"\n"), there.split(b"\n"))
    number, a, b = next((number, a, b) for number, (a, b) in enumerate(lines, start=1) if a != b)
    return f"{name}:{number}: {shown(a, b)}, in the other revision {shown(b, a)}"


def shown(line: bytes | None, other: bytes | None) -> str:
    """Return the part of a line from shortly before its first difference to another one."""
    if line is None:
        return "no line"
    pairs = zip_longest(line, other or b"")
    first = max(0, next((place for place, (a, b) in enumerate(pairs) if a != b), 0) - SHOWN // 4)
    return repr(line[first : first + SHOWN].decode(errors="replace"))


def compare(
    programs: Sequence[Path], commands: Sequence[str], folders: Sequence[Path], counts: Counter[Exempt]
) -> Iterator[tuple[str, list[str]]]:
    """Run the commands of a case in both installations; yield each with its exit code and the differences."""
    before: tuple[Results, Results] = ({}, {})
    with ThreadPoolExecutor(2) as pool:
        for command in commands:
            results = pool.map(run, programs, (command, command), folders)
            here, there = (normal(result, folder, counts) for result, folder in zip(results, folders, strict=True))
            changed = [
                name
                for name in sorted(here.keys() | there.keys())
                if (here.get(name), there.get(name)) != (before[0].get(name), before[1].get(name))
            ]
            found = [difference(name, here.get(name), there.get(name)) for name in changed]
            yield here[CODE].decode(), [text for text in found if text is not None]
            before = here, there


def campaign(programs: Sequence[Path], only: str) -> tuple[int, int]:
    """Compare the cases with a text in title or command; return the numbers of commands and of those that differ."""
    number = different = 0
    counts: Counter[Exempt] = Counter()
    with tempfile.TemporaryDirectory() as made:
        roots = [Path(made) / name for name in ("here", "there")]
        for root in roots:
            shutil.copytree(INPUTS, root / "inputs")
        for place, (title, commands) in enumerate(CASES.items()):
            if only not in title and not any(only in command for command in commands):
                continue
            folders = [root / f"case-{place}" for root in roots]
            for folder in folders:
                folder.mkdir()
            start = time.monotonic()
            for command, (code, differences) in zip(
                commands, compare(programs, commands, folders, counts), strict=True
            ):
                number, different = number + 1, different + bool(differences)
                verdict = "differs" if differences else "same"
                print(
                    f"{verdict:<7}  exit code {code}  {time.monotonic() - start:5.1f} s  {title}  {command}", flush=True
                )
                for text in differences[:1]:
                    print(f"  {text}" + (f", and {len(differences) - 1} more" if differences[1:] else ""), flush=True)
                start = time.monotonic()
    for exempt in EXCEPTIONS:
        print(f"not compared: {exempt.reason} ({exempt.files}), in {counts[exempt]} places")
    return number, different


def main() -> int:
    """Print a line for each command; with --check, fail if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    other = parser.add_mutually_exclusive_group(required=True)
    other.add_argument("--revision", help="revision to compare with; it is installed for this")
    other.add_argument("--other", type=Path, help="folder of a checkout with a .venv to compare with")
    parser.add_argument("--only", default="", help="cases with this text in the title or a command")
    parser.add_argument("--check", action="store_true", help="exit with 1 if anything differs")
    options = parser.parse_args()
    program = Path(sys.executable).with_name("isoplane")
    if options.other:
        number, different = campaign((program, options.other.absolute() / ".venv/bin/isoplane"), options.only)
    else:
        with checkout(options.revision) as folder:
            number, different = campaign((program, folder / ".venv/bin/isoplane"), options.only)
    print(f"{different} of {number} commands differ")
    return int(options.check and different > 0)


if __name__ == "__main__":
    sys.exit(main())
