"""Jobs of a sweep in separate processes: what they report to the launching one, and how they end with it."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO, cast

from hydra.core.hydra_config import HydraConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.messages import one_line, print_message
from isoplane.runs.terminal.table import Table
from isoplane.runs.terminal.table_output import table_data

if TYPE_CHECKING:
    from submitit import Job

WRITERS = ("search", "simulate", "reproduce", "compare", "export", "import")  # verbs with a folder per run
PROCESSES = "hydra_plugins.isoplane._ProcessLauncher"  # the launcher of `hydra/launcher=processes`
BEGAN = ".began-"  # prefix of the files of jobs that have begun
END = ".code-"  # prefix of the files that hold what jobs have done
ENDED = ".interrupted"  # a file in the folder of a sweep whose jobs are asked to end
POLL_S = 0.5  # between looks at those files
START_POLL_S = 0.05  # between looks at processes
# The least values of numbers that launchers take, as far as they have them.
LEAST = {"timeout_min": 1, "cpus_per_task": 1, "cpus_per_gpu": 1, "array_parallelism": 1, "mem_gb": 0,
         "gpus_per_node": 0, "gpus_per_task": 0, "signal_delay_s": 0, "max_num_timeout": 0}  # fmt: skip
SINGLE = ("tasks_per_node", "nodes")  # each further task would be the same job again, in the same folder
Tables = list[tuple[str, Table]]  # that a job has printed for other programs, each after its format


@contextmanager
def in_own_process(launcher: int) -> Iterator[Callable[[int, Sequence[str], Tables], None]]:
    """Tell the process that launched a sweep that this job begins, and yield a function that tells it how it ended.

    Parameters
    ----------
    launcher
        The id of that process. A job on the same machine ends with it.
    """
    hydra = HydraConfig.get()
    if is_local(hydra):
        from isoplane.fleet.processes import end_with  # slow to import

        end_with(launcher)
    folder, number, output = Path(hydra.sweep.dir), hydra.job.num, _Copied(sys.stdout)
    with suppress(OSError, InputError):  # as on a full disk, of which the job will speak
        write_atomically(folder / f"{BEGAN}{number}", folder_name(hydra))

    def end(code: int, messages: Sequence[str], tables: Tables) -> None:
        data = [[kind, table_data(table)] for kind, table in tables]
        told = {"code": code, "messages": list(messages), "output": "".join(output.parts), "tables": data}
        write_atomically(folder / f"{END}{number}", json.dumps(told, default=str))

    with redirect_stdout(cast(TextIO, output)):
        yield end


def is_local(hydra: Any) -> bool:
    """Whether the jobs of a sweep are processes of the machine of their launcher."""
    return bool(hydra.launcher._target_ == PROCESSES)


def jobs_at_once(hydra: Any) -> int | None:
    """Return how many processes of a sweep this machine has processors for; None if that is left to the system."""
    each = hydra.launcher.cpus_per_task if is_local(hydra) else None
    if each is None:
        return None
    from isoplane.fleet.threads import processors  # slow to import

    return max(1, processors() // int(each))


def check_launcher(launcher: Mapping[str, Any]) -> None:
    """Check the numbers of a launcher.

    Raises
    ------
    InputError
        If one is too low, or the jobs would have several tasks.
    """
    for name, low in LEAST.items():
        if name in launcher and launcher[name] is not None:
            check_int(f"hydra.launcher.{name}", launcher[name], low)
    for name in SINGLE:
        if name in launcher and launcher[name] != 1:
            raise InputError(
                f"hydra.launcher.{name}={launcher[name]}: expected 1, as each job is a process on one machine, with "
                "workers= for more threads"
            )


class _Copied:
    """Standard output whose text is kept, too."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.parts: list[str] = []

    def write(self, text: str) -> int:
        """Write a text."""
        self.parts.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def folder_name(hydra: Any) -> str:
    """Return the name of the folder of this job in that of the sweep; empty if its verb writes none."""
    return str(hydra.sweep.subdir) if hydra.job.config_name in WRITERS else ""


def announce_job(number: int, swept: Sequence[Mapping[str, str]], folder: str, what: str = "") -> None:
    """Print on standard error at which job a sweep is, if it has several.

    Parameters
    ----------
    number
        The number of the job, from 0.
    swept
        The options of each job that not all jobs share, by key.
    folder
        The name of its folder; empty if it has none.
    what
        What the job does, if it does not begin.
    """
    if len(swept) > 1:
        place = f" (folder {folder})" if folder else ""
        print(job_line(number, len(swept), [*map("=".join, swept[number].items())], f"{place}{what}"), file=sys.stderr)
        sys.stderr.flush()


def job_line(number: int, jobs: int, words: Sequence[str], what: str = "") -> str:
    """Return a line about a job of a sweep: its number, from 1, what is said of it, and its options."""
    return one_line(f"job {number + 1} of {jobs}{what}: {' '.join(words)}")


class _OtherJobs:
    """The jobs of a sweep in other processes: shows that they begin, and at their end what they have printed."""

    def __init__(self) -> None:
        self._begun: dict[int, str] = {}  # the names of their folders
        self._ends: dict[int, tuple[int, Tables]] = {}
        self._folder: Path | None = None

    def watch(self, folder: Path, swept: Sequence[Mapping[str, str]]) -> None:
        """Watch the folder of a sweep until `close`."""
        self._folder, self._swept, self._over = folder, swept, Event()
        self._thread = Thread(target=self._watch, name="sweep", daemon=True)
        self._thread.start()

    def close(self) -> dict[int, tuple[int, Tables]]:
        """Show what has not been shown, and return the exit code and the tables of each job, by its number."""
        if self._folder is not None:
            self._over.set()
            self._thread.join()
            self._show(self._folder)
        for number in sorted(self._begun - self._ends.keys()):
            announce_job(number, self._swept, self._begun[number], " has ended without a result")
        ends, self._ends, self._begun, self._folder = self._ends, {}, {}, None
        return ends

    def _watch(self) -> None:
        with suppress(OSError):  # as of a closed pipe: `close` meets it again
            while not self._over.wait(POLL_S) and self._folder is not None:
                self._show(self._folder)

    def _show(self, folder: Path) -> None:
        for number, file in _numbered(folder, BEGAN):
            self._begun[number] = file.read_text(encoding="utf-8")
            announce_job(number, self._swept, self._begun[number])
            file.unlink()
        for number, file in _numbered(folder, END):
            told = json.loads(file.read_text(encoding="utf-8"))
            code, tables = told["code"], [(kind, Table(**table)) for kind, table in told["tables"]]
            self._ends[number] = code, tables
            announce_job(number, self._swept, self._begun.get(number, ""), f" ended with exit code {code}")
            print(told["output"], end="", flush=True)
            for message in told["messages"] if code else ():
                print_message(message)
            file.unlink()


def _numbered(folder: Path, prefix: str) -> list[tuple[int, Path]]:
    """Return the files of jobs with a prefix, in the order of their numbers: as text, 10 would come before 2."""
    return sorted((int(file.name.removeprefix(prefix)), file) for file in folder.glob(f"{prefix}*"))


def forget_jobs(folder: Path) -> None:
    """Remove what the jobs of a killed sweep have left for the process that launched them."""
    for prefix in (BEGAN, END, ENDED):
        for file in folder.glob(f"{prefix}*"):
            file.unlink(missing_ok=True)


class _LocalJobs:
    """The processes of `hydra/launcher=processes`, which submitit starts and would leave running.

    They do not get the signals that a terminal sends to all processes of a program; `wait` passes them on.
    """

    def __init__(self) -> None:
        self._jobs: list[Job[Any]] = []
        self._at_once: int | None = None
        self._ended = Path(ENDED)

    def watch(self, sweep: Path, at_once: int | None) -> None:
        """Begin a sweep, of which so many jobs may run at once; None if all may."""
        self._ended, self._at_once = sweep / ENDED, at_once

    def start(self, submit: "Callable[[], Job[Any]]") -> "Job[Any]":
        """Call what starts a job with submitit, once another one may run, and return the job.

        Raises
        ------
        KeyboardInterrupt
            At a signal. One that arrives while the job starts is heard afterwards, when `wait` knows the job.
        """
        from isoplane.fleet.processes import signals_blocked  # slow to import

        while self._at_once is not None and len(self._running()) >= self._at_once:
            time.sleep(START_POLL_S)
        with INTERRUPT.caught(at_once=False), signals_blocked({signal.SIGINT, signal.SIGHUP}):
            job = submit()
            self._jobs.append(job)
        if INTERRUPT.requested:
            raise KeyboardInterrupt
        return job

    def wait(self, *, end: bool) -> None:
        """Wait until all jobs have ended; with `end`, ask them to, as Ctrl-C asks a run.

        Raises
        ------
        KeyboardInterrupt
            After three more signals; each of the first two asks the jobs again.
        """
        if not self._jobs:
            return
        try:
            for patience in (True, True, True, False):
                try:
                    if end:
                        self._ask_to_end()
                    while self._running():
                        time.sleep(START_POLL_S)
                    break
                except KeyboardInterrupt:
                    if not patience:
                        raise
                    end = True
        finally:
            self._ended.unlink(missing_ok=True)
        self._jobs.clear()

    def _ask_to_end(self) -> None:
        self._ended.touch()  # for jobs that are still starting, and would miss the signal
        for job in self._running():
            os.kill(int(job.job_id), signal.SIGTERM)

    def _running(self) -> "list[Job[Any]]":
        return [job for job in self._jobs if not job.done()]


def sweep_has_ended() -> bool:
    """Whether the sweep of this job was interrupted before the job could notice its signal."""
    return HydraConfig.initialized() and Path(HydraConfig.get().sweep.dir, ENDED).exists()


LOCAL_JOBS = _LocalJobs()
OTHER_JOBS = _OtherJobs()
