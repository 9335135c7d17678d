"""A run of the program that a fault ends: a signal at a moment, or too little room for its files."""

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from isoplane.runs.cli.main import main as isoplane

WAIT_S = 1200
OPERATIONS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"})
CAUGHT = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Fault:
    """What ends a run: a signal at the `moment`-th operation or after some seconds, or the room in bytes."""

    kind: str
    moment: int = 0
    seconds: float | None = None
    counted: Path | None = None  # no fault: the file that receives the number of operations

    def apply(self) -> None:
        """Prepare this process for the fault."""
        if self.counted is not None:
            self.counted.write_text("0")
            descriptor = os.open(self.counted, os.O_WRONLY)
            count_operations(lambda number: os.pwrite(descriptor, str(number).encode(), 0))
        elif self.kind == "size":
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.moment, resource.RLIM_INFINITY))
        elif self.kind in signal.Signals.__members__ and self.seconds is None:
            count_operations(lambda number: self._end() if number == self.moment else None)

    def _end(self) -> None:
        os.kill(os.getpid(), signal.Signals[self.kind])


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    out: str
    err: str
    seconds: float  # since it could be interrupted


def count_operations(at: Callable[[int], object]) -> None:
    """Call a function with the number of each operation of this process on a file of its folder."""
    number, folder = 0, str(Path.cwd())

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal number
        if event in OPERATIONS and isinstance(arguments[0], (str, os.PathLike)):
            path = os.path.join(folder, arguments[0])  # noqa: PTH118  # pathlib would raise events of its own
            if path.startswith(f"{folder}{os.sep}out"):
                number += 1
                at(number)

    sys.addaudithook(hook)


def run(words: tuple[str, ...], folder: Path, fault: Fault | None) -> Outcome:
    """Run the program in a folder, in a process of its own that is forked from this one."""
    (out, out_end), (err, err_end), (ready, ready_end) = (os.pipe() for _ in range(3))
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, CAUGHT)
    child = os.fork()
    if child == 0:
        run_in_child(words, folder, fault, (out_end, err_end), ready_end)
    signal.pthread_sigmask(signal.SIG_SETMASK, previous)
    for writing in (out_end, err_end, ready_end):
        os.close(writing)
    os.read(ready, 1)  # a byte, or the end of the child
    os.close(ready)
    began = time.monotonic()
    status = wait(child, fault, began)
    texts = []
    for reading in (out, err):
        os.set_blocking(reading, False)
        with os.fdopen(reading, "rb") as stream:
            texts.append((stream.read() or b"").decode(errors="replace"))
    return Outcome(os.waitstatus_to_exitcode(status), texts[0], texts[1], time.monotonic() - began)


def wait(child: int, fault: Fault | None, began: float) -> int:
    """Return the status of a child after its end, and send it the signal of a fault by the clock."""
    due = fault is not None and fault.seconds is not None
    while time.monotonic() < began + WAIT_S:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if due and fault is not None and time.monotonic() >= began + (fault.seconds or 0):
            os.kill(child, signal.Signals[fault.kind])
            due = False
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    raise TimeoutError(f"a run after {fault} has hung")


def run_in_child(
    words: tuple[str, ...], folder: Path, fault: Fault | None, streams: tuple[int, int], ready: int
) -> None:
    """Run the program, and end this process."""
    code = 1
    try:
        os.chdir(folder)
        for number, descriptor in enumerate(streams, start=1):
            os.dup2(descriptor, number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
        if fault is not None:
            fault.apply()
        interruptible_from(ready)
        code = isoplane(list(words))
    except BaseException:  # noqa: BLE001  # printed as any program prints it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def interruptible_from(ready: int) -> None:
    """Let the blocked signals reach this process only while the program handles them, and announce when it begins.

    Before and after, they would end this script instead, however late a loaded machine runs it.
    """
    program = import_module("isoplane.runs.cli.main")
    run_words = program.run_words

    def announced(words: list[str]) -> int:
        os.write(ready, b"1")
        os.close(ready)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, CAUGHT)
        try:
            return run_words(words)
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, CAUGHT)

    program.run_words = announced
