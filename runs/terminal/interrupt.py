"""Ctrl-C: ends the program at once, or stops a search and keeps its result."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from types import FrameType

from .messages import print_message

REPEATED_AFTER_S = 0.5
AGAIN_AFTER_S = 0.005  # longer than a finalizer
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupt:
    """Records that a signal requested the end, for all jobs of a sweep.

    Attributes
    ----------
    requested
        Whether a signal has arrived.
    announced
        Whether the interruption has been said.
    """

    requested = False
    announced = False
    _heard_at = 0.0
    _is_lost = False
    _is_reporting = False
    _sender: Thread | None = None

    @contextmanager
    def caught(self, *, at_once: bool, ignored_after: bool = False) -> Iterator[None]:
        """Catch SIGINT, SIGTERM and SIGHUP inside the block; under `nohup`, SIGHUP stays ignored.

        Parameters
        ----------
        at_once
            Whether the first signal raises KeyboardInterrupt. If not, it is only recorded, so that a search ends at
            its next round. A second signal raises in both cases, unless it follows within `REPEATED_AFTER_S`: a signal
            to a group of processes also comes from those that pass it on, and must not break what cleans up.
        ignored_after
            Whether they are ignored after the block: what remains of the program is short, and its files and its exit
            code are settled.
        """

        def handle(number: int, frame: FrameType | None) -> None:
            if self._is_reporting:  # where an error would be lost again: the next signal follows
                return
            first, self.requested = not self.requested, True
            now = time.monotonic()
            if first or self._is_lost or now > self._heard_at + REPEATED_AFTER_S:
                self._heard_at, self._is_lost = now, False
                if at_once or not first:
                    raise KeyboardInterrupt

        def report(problem: "sys.UnraisableHookArgs") -> None:
            if isinstance(problem.exc_value, KeyboardInterrupt):
                self._is_reporting = True
                self._send_again()
                self._is_reporting = False
            else:
                print_unraisable(problem)

        print_unraisable, sys.unraisablehook = sys.unraisablehook, report
        with ExitStack() as undo:
            undo.callback(setattr, sys, "unraisablehook", print_unraisable)
            for number in NUMBERS:
                if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                    continue
                previous = signal.signal(number, handle)
                undo.callback(signal.signal, number, signal.SIG_IGN if ignored_after else previous)
            try:
                yield
            finally:
                # Its signal must arrive while the handlers are in place: the default one of SIGINT raises anywhere.
                if self._sender is not None:
                    self._sender.join()

    def _send_again(self) -> None:
        """Send signals soon, until one is heard, because the last one arrived where Python raises nothing.

        That is in finalizers and in callbacks of weak references, which run first after a long native call.
        """

        def send() -> None:
            while self._is_lost:
                time.sleep(AGAIN_AFTER_S)
                os.kill(os.getpid(), signal.SIGINT)

        self._is_lost = True
        self._sender = Thread(target=send, name="interrupt")
        self._sender.start()

    def announce(self, text: str) -> None:
        """Print that the program was interrupted, on standard error, unless that has been said."""
        if not self.announced:
            self.announced = True
            print_message(text)


def follows_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C, or was raised while a library cleaned up after it."""
    seen = set()
    # Contexts can form a circle, and errors need not be hashable.
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


INTERRUPT = _Interrupt()
