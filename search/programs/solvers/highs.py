"""HiGHS in a separate process, which can be killed."""

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Self

from isoplane.fleet.processes import end_with
from isoplane.models import InputError

from ..integer_program import POLL_INTERVAL_S, UNKNOWN, IntegerProgram, SolverResult, TimeLeft
from . import mathopt

GRACE_S = 1.0  # HiGHS checks its time limit only now and then, and its result is worth a short wait


class Highs:
    """Solves programs with HiGHS, which may exceed its time limit by seconds and cannot be interrupted.

    The process starts with the first program and serves all later ones. A context manager: the process ends with the
    block.

    Examples
    --------
    >>> from ..integer_program import Row
    >>> with Highs() as highs:
    ...     highs.solve(IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ())), 0, lambda: 10, {}, False)
    SolverResult(status='optimal', values=[2], bound=2)
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection[Any, Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def solve(
        self, program: IntegerProgram, objective: int, seconds_left: TimeLeft, hint: Mapping[int, int], log: bool
    ) -> SolverResult:
        """Solve a program; parameters as for CP-SAT.

        Raises
        ------
        InputError
            If the process has ended.
        """
        try:
            pipe = self._pipe or self._start(seconds_left)
            pipe.send((program, objective, seconds_left(), hint, log))
            found: SolverResult = _receive(pipe, seconds_left)
        except TimeoutError:
            self.close()
            return UNKNOWN
        except (EOFError, OSError) as error:
            code = self.close()
            raise InputError(f"solver=highs: its process ended with code {code}; expected cp_sat, gurobi") from error
        return found

    def _start(self, seconds_left: TimeLeft) -> "Connection[Any, Any]":
        self._pipe, remote = Pipe()
        with remote:
            # In a new session, so that Ctrl-C reaches only this process.
            self._process = subprocess.Popen(
                # -P: a file of the current folder must not stand in for a module.
                [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({remote.fileno()}, {os.getpid()})"],
                pass_fds=[remote.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        _receive(self._pipe, seconds_left)  # wait until it is ready, which takes a second
        return self._pipe

    def close(self) -> int | None:
        """Kill the process, if there is one, and return its exit code; the next program starts another one."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is None or pipe is None:
            return None
        pipe.close()
        process.kill()
        return process.wait()


def _receive(pipe: "Connection[Any, Any]", seconds_left: TimeLeft) -> Any:
    """Return the next message of the process.

    Raises
    ------
    TimeoutError
        If none arrives within the time left.
    EOFError
        If the process has ended.
    """
    while not pipe.poll(POLL_INTERVAL_S):
        if seconds_left() <= -GRACE_S:
            raise TimeoutError
    return pipe.recv()


def serve(descriptor: int, parent: int) -> None:
    """Solve the programs received through a pipe, until it is closed or the process at its other end has ended."""
    end_with(parent)
    with Connection(descriptor) as pipe:
        pipe.send(None)
        while True:
            try:
                program, objective, seconds, hint, log = pipe.recv()
            except (EOFError, ConnectionError):
                return
            end = monotonic() + seconds
            pipe.send(mathopt.solve(program, objective, partial(_seconds_until, end), hint, log))


def _seconds_until(end: float) -> float:
    return end - monotonic()
