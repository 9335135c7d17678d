"""The command line for tests: run inside this process if that is enough, otherwise as a process of its own."""

import csv
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from hydra import compose, initialize_config_module
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from matplotlib.figure import Figure
from omegaconf import OmegaConf

from isoplane.fleet.processes import ENDING, Processes
from isoplane.models import InputError, dual_cube
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.cli.job import composition_errors
from isoplane.runs.cli.main import main
from isoplane.runs.config.allowed_keys import check_keys, group_choices
from isoplane.runs.config.config_values import plain
from isoplane.runs.records import text_of
from isoplane.runs.terminal import heartbeat
from isoplane.runs.terminal.codes import BAD_INPUT
from tests.blank_charts import write_blank
from tests.runs.records.samples import sample

PROGRAM = Path(sys.executable).with_name("isoplane")
BEAT = re.compile(r" *[\d.]+ s( since the start)?  ")  # how a line begins that shows that the program is busy
UNTYPED = set(
    "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}\N{NON-BREAKING HYPHEN}"
)  # which nobody greps for
# The environment of an installed program whose searches write an empty page, as do those of the jobs that it starts.
WITHOUT_PAGES = os.environ | {"PYTHONPATH": str(Path(__file__).with_name("without_pages"))}
HANG_S = 600  # longer than any test waits; whatever still runs by then has hung


@dataclass(frozen=True)
class CommandResult:
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def isoplane(tmp_path, monkeypatch, capsys) -> Callable[..., CommandResult]:
    """Run `isoplane WORDS...` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(heartbeat, "FIRST_S", HANG_S)  # a slow machine must not add lines to standard error

    def run(*words: str) -> CommandResult:
        capsys.readouterr()
        code = main(list(words))
        captured = capsys.readouterr()
        assert not set(captured.out + captured.err) & UNTYPED
        return CommandResult(code, captured.out, captured.err)

    return run


@cache
def config_with(verb: str, choices: tuple[str, ...]) -> dict:
    """The config of a verb with some choices of groups, composed once."""
    with composition_errors(verb, choices):
        return composed_config(verb, *choices)


def run_uncomposed(verb: str, words: tuple[str, ...]) -> None:
    """Run a verb with values that replace those of a config composed before."""
    overrides = OverridesParser.create().parse_overrides(list(words))
    groups = {*group_choices(verb), "experiment"}
    choices = [each for each in overrides if each.package is not None or each.key_or_group in groups]
    config = OmegaConf.create(config_with(verb, tuple(each.input_line for each in choices)))
    for each in overrides:
        if each not in choices and not each.key_or_group.startswith("hydra."):
            OmegaConf.update(config, each.key_or_group, each.value(), force_add=True)
    check_keys(verb, plain(config))
    import_module(f"isoplane.runs.cli.{verb.replace('-', '_')}").run(config)


@pytest.fixture
def refuse(tmp_path, monkeypatch) -> Callable[..., CommandResult]:
    """Like `isoplane`, for options that a verb refuses, without a command line.

    To compose a config takes Hydra ten times as long as it takes a verb to find what is wrong, so that is done once for
    each choice of groups. Each verb has whole command lines in tests of its own.
    """
    monkeypatch.chdir(tmp_path)
    folder = str(tmp_path / "run")

    def run(verb: str, *words: str) -> CommandResult:
        hydra = {
            "overrides": {
                "task": [word for word in words if not word.startswith("hydra.")],
                "hydra": [word for word in words if word.startswith("hydra.")],
            },
            "run": {"dir": folder},
            "runtime": {"output_dir": folder, "config_sources": [], "choices": {}},
        }
        monkeypatch.setattr(HydraConfig.instance(), "cfg", OmegaConf.create({"hydra": hydra}))
        with redirect_stdout(StringIO()) as out, pytest.raises(InputError) as refusal:
            run_uncomposed(verb, words)
        return CommandResult(BAD_INPUT, out.getvalue(), f"isoplane {verb}: {refusal.value}\n")

    return run


@pytest.fixture(autouse=True)
def without_charts(blank_charts) -> None:
    """Draw no charts: the tests of `runs/report` and of the installed program do."""


def write_placeholder(folder: Path, *built: object, **more: object) -> Path:
    (folder / "report.html").write_text("<html>", encoding="utf-8")
    return folder / "report.html"


@pytest.fixture
def no_drawing(monkeypatch) -> None:
    """Replace reports by a placeholder: drawing their charts takes longer than a small search."""
    monkeypatch.setattr("isoplane.runs.report.write.write_report", write_placeholder)
    monkeypatch.setattr("isoplane.runs.report.write.write_simulation_report", write_placeholder)
    monkeypatch.setattr("isoplane.runs.figures.figure.figure_page", lambda *_: "")
    monkeypatch.setattr("isoplane.runs.cli.compare.page", lambda *_: "")


@pytest.fixture(scope="session")
def search_once(tmp_path_factory) -> Callable[..., tuple[CommandResult, Path]]:
    """Return a function that runs `isoplane search WORDS...` if no test has yet, without a page."""
    ended: dict[tuple[str, ...], tuple[CommandResult, Path]] = {}

    def search(*words: str) -> tuple[CommandResult, Path]:
        if words not in ended:
            folder = tmp_path_factory.mktemp("search")
            with (
                pytest.MonkeyPatch.context() as patch,
                redirect_stdout(StringIO()) as out,
                redirect_stderr(StringIO()) as err,
            ):
                patch.chdir(folder)
                patch.setattr(heartbeat, "FIRST_S", HANG_S)
                patch.setattr("isoplane.runs.report.write.write_report", write_placeholder)
                code = main(["search", *words, "hydra.run.dir=run"])
            assert code == 0, err.getvalue()
            ended[words] = CommandResult(code, out.getvalue(), err.getvalue()), folder / "run"
        return ended[words]

    return search


@pytest.fixture
def ended_search(search_once, tmp_path) -> Callable[..., CommandResult]:
    """Return a function that leaves an ended search in the folder `run`, as new, and returns what it printed."""

    def leave(*words: str) -> CommandResult:
        result, folder = search_once(*words)
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        shutil.copytree(folder, tmp_path / "run")
        return result

    return leave


@pytest.fixture
def record(tmp_path_factory) -> Path:
    """A file with the best record of n = 3, outside the folder of the test."""
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    path = tmp_path_factory.mktemp("record") / "best.json"
    path.write_text(text_of(sample(dual_cube(3, (3, 5, 7)), objective)), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def forking() -> multiprocessing.context.BaseContext:
    """What starts processes that are forked from a clean one, with the environment of the workers of comparisons."""
    with Processes():
        return multiprocessing.get_context("forkserver")


@pytest.fixture
def start_isoplane(tmp_path, forking):
    """Start `isoplane WORDS...` as a process of its own, and return it with the files of its output and errors.

    It is forked from a process that has already imported the program, which takes longer than most of these tests.
    Processes that still run after the test are killed.
    """
    processes = []

    def start(*words: str) -> tuple[multiprocessing.Process, Path, Path]:
        streams = tmp_path / f"{len(processes)}.out", tmp_path / f"{len(processes)}.err"
        processes.append(forking.Process(target=run_in_child, args=(tmp_path, *streams, words)))
        processes[-1].start()
        return processes[-1], *streams

    yield start
    for process in processes:
        process.kill()
        process.join()


def run_in_child(folder: Path, out: Path, err: Path, words: tuple[str, ...]) -> None:
    os.chdir(folder)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # a fleet of an earlier test may have started the fork server
    for path, descriptor in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    Figure.savefig = write_blank
    # What Python remembers about the old streams, such as whether they can seek, may be wrong for these.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    sys.exit(main(list(words)))


def composed_config(verb: str, *overrides: str) -> dict:
    """The config that a verb receives, as plain data."""
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        return plain(compose(verb, list(overrides)))


def wait_for(path: Path) -> None:
    """Wait until a running program has written a file."""
    end = time.monotonic() + HANG_S
    while not path.exists():
        assert time.monotonic() < end, f"{path} has not been written"
        time.sleep(0.005)


def messages(err: str) -> list[str]:
    """The lines of standard error without those that show that the program is busy."""
    return [line for line in err.splitlines() if not BEAT.match(line)]


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def files(folder: Path) -> list[str]:
    """Everything in a folder, as sorted paths relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def sleeping_job(seconds: float) -> SimpleNamespace:
    """Return what submitit would of a process that sleeps."""
    process = subprocess.Popen(["sleep", str(seconds)])
    return SimpleNamespace(process=process, job_id=str(process.pid), done=lambda: process.poll() is not None)


def latex_cells(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the heads of a tabular, each on one line, and the cells of its rows, without the room after numbers."""
    lines = [
        [cell.strip().partition(r"\phantom")[0] for cell in line.removesuffix(r" \\").split("&")]
        for line in text.splitlines()
    ]
    middle = lines.index([r"\midrule"])
    return [" ".join(head).strip() for head in zip(*lines[2:middle], strict=True)], lines[middle + 1 : -2]
