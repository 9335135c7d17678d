"""HiGHS in a process of its own, which can be ended."""

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from time import monotonic, sleep
from typing import Any, Self

from isoplane.models import InputError

from . import mathopt
from .statement import UNKNOWN, Left, Outcome, Statement
from .time_limit import MOMENT_S

GRACE_S = 1.0  # HiGHS looks at its clock now and then, and what it has found then is worth some waiting


class Highs:
    """Solves statements by HiGHS, which itself is seconds late at times and heeds no request to end.

    The process begins with the first statement, and serves all that follow. A context manager: it ends with the block.

    Examples
    --------
    >>> from .statement import Row
    >>> with Highs() as highs:
    ...     highs.solve(Statement((0,), (9,), (Row(((0, 2),), 3),), (((0, 1),), ())), 0, lambda: 10, {}, False)
    Outcome(status='optimal', values=[2], bound=2)
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection[Any, Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def solve(self, statement: Statement, objective: int, left: Left, hint: Mapping[int, int], log: bool) -> Outcome:
        """Solve a statement; parameters as for CP-SAT.

        Raises
        ------
        InputError
            If the process has died.
        """
        try:
            line = self._line or self._begin(left)
            line.send((statement, objective, left(), hint, log))
            found: Outcome = _heard(line, left)
        except TimeoutError:
            self.close()
            return UNKNOWN
        except (EOFError, OSError) as error:
            code = self.close()
            raise InputError(f"solver=highs: its process ended with code {code}; expected cp_sat, gurobi") from error
        return found

    def _begin(self, left: Left) -> "Connection[Any, Any]":
        self._line, theirs = Pipe()
        with theirs:
            # A session of its own: Ctrl-C is for us.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({theirs.fileno()})"],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        _heard(self._line, left)  # that it is there, for that takes a second
        return self._line

    def close(self) -> int | None:
        """End the process, if there is one, and return its code; another statement begins another one."""
        process, line = self._process, self._line
        self._process = self._line = None
        if process is None or line is None:
            return None
        line.close()
        process.kill()
        return process.wait()


def _heard(line: "Connection[Any, Any]", left: Left) -> Any:
    """Return what the process says.

    Raises
    ------
    TimeoutError
        If it says nothing while there is time.
    EOFError
        If it has died.
    """
    while not line.poll(MOMENT_S):
        if left() <= -GRACE_S:
            raise TimeoutError
    return line.recv()


def serve(descriptor: int) -> None:
    """Solve what comes through a pipe, until nobody is at its other end."""
    Thread(target=_outlive_nobody, args=(os.getppid(),), daemon=True).start()
    with Connection(descriptor) as line:
        line.send(None)
        while True:
            try:
                statement, objective, seconds, hint, log = line.recv()
            except (EOFError, ConnectionError):
                return
            end = monotonic() + seconds
            line.send(mathopt.solve(statement, objective, partial(_until, end), hint, log))


def _outlive_nobody(parent: int) -> None:
    """End this process once its parent is gone, which may have been killed."""
    while os.getppid() == parent:
        sleep(GRACE_S)
    os._exit(1)


def _until(end: float) -> float:
    return end - monotonic()
