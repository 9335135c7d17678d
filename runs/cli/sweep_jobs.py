"""Jobs of a sweep in separate processes: what they report to the launching one, and how they end with it."""

import json
import signal
import subprocess
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models.files.output_file import write_atomically

END = ".code-"  # prefix of the files that hold the exit code and messages of jobs
ENDED = ".interrupted"  # a file in the folder of a sweep whose jobs are asked to end


def write_end(code: int, messages: Iterable[str]) -> None:
    """Write the exit code and the messages of a job into the folder of its sweep, for the process that launched it."""
    hydra = HydraConfig.get()
    end = {"code": code, "messages": list(messages)}
    write_atomically(Path(hydra.sweep.dir, f"{END}{hydra.job.num}"), json.dumps(end))


def collect_ends(sweep: Path) -> list[tuple[int, list[str]]]:
    """Return exit code and messages of the jobs in other processes, in the order of jobs, and remove their files."""
    # By number: as text, 10 would come before 2.
    files = sorted(sweep.glob(f"{END}*"), key=lambda file: int(file.name.removeprefix(END)))
    ends = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    for file in files:
        file.unlink()
    return [(end["code"], end["messages"]) for end in ends]


class _LocalJobs:
    """The processes of `hydra/launcher=processes`, which submitit starts and would leave running.

    They do not get the signals that a terminal sends to all processes of a program; `wait` passes them on.
    """

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []
        self._release = ExitStack()

    def watch(self, sweep: Path) -> None:
        """Note every process that submitit starts for a sweep, until `wait`."""
        from submitit.local import local

        start = local.start_controller
        ended = sweep / ENDED

        def start_and_note(*arguments: Any, **options: Any) -> "subprocess.Popen[bytes]":
            from isoplane.fleet.processes import signals_blocked  # slow to import

            with signals_blocked({signal.SIGINT}):
                self._processes.append(start(*arguments, **options))
            return self._processes[-1]

        local.start_controller = start_and_note
        self._release.callback(setattr, local, "start_controller", start)
        self._release.callback(ended.unlink, missing_ok=True)
        self._ended = ended

    def wait(self, *, end: bool) -> None:
        """Wait until all jobs have ended; with `end`, ask them to, as Ctrl-C asks a run.

        Raises
        ------
        KeyboardInterrupt
            After three more signals; each of the first two asks the jobs again.
        """
        with self._release:
            for patience in (True, True, True, False):
                try:
                    if end and self._processes:
                        # For jobs that are still starting, and would miss the signal.
                        self._ended.touch()
                        for process in self._processes:
                            process.send_signal(signal.SIGTERM)
                    for process in self._processes:
                        process.wait()
                    break
                except KeyboardInterrupt:
                    if not patience:
                        raise
                    end = True
        self._processes.clear()


def sweep_has_ended() -> bool:
    """Whether the sweep of this job was interrupted before the job could notice its signal."""
    return HydraConfig.initialized() and Path(HydraConfig.get().sweep.dir, ENDED).exists()


LOCAL_JOBS = _LocalJobs()
