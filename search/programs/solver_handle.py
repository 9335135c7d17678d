"""An assignment under way, as other threads see it."""

from threading import Event, Lock

from isoplane.models.circuits import Circuits

from .exact import Judged
from .local import order


class SolverHandle:
    """What an assignment under way has found so far, and a way to end it.

    A copy in another process stands alone: whoever asks for an end here does not reach it, and what it has found comes
    with the result.

    Parameters
    ----------
    stop
        Set by whoever asks for an end; assignments that share it end together.

    Attributes
    ----------
    solvers
        Who was asked to solve programs so far, in turn.

    Examples
    --------
    >>> running = SolverHandle()
    >>> running.tell(Judged(9, 20, Circuits(((0, 2),))))
    >>> running.tell(Judged(9, 30, Circuits(((0, 3),))))
    >>> running.end()
    >>> [circuits.pairs for circuits in running.found], running.ended
    ([((0, 2),)], True)
    """

    def __init__(self, stop: Event | None = None) -> None:
        self._lock = Lock()
        self._told: list[Judged] = []
        self._stop = stop or Event()
        self.solvers: list[str] = []

    def __reduce__(self) -> tuple[type["SolverHandle"], tuple[()]]:
        return SolverHandle, ()

    @property
    def found(self) -> list[Circuits]:
        """The best circuits so far and those that were the best before, in the order in which they were found."""
        with self._lock:
            return [judged.circuits for judged in self._told]

    @property
    def ended(self) -> bool:
        """Whether somebody asked for the end."""
        return self._stop.is_set()

    def tell(self, judged: Judged) -> None:
        """Take circuits in, if they are better than all before."""
        with self._lock:
            if not self._told or order(judged) < order(self._told[-1]):
                self._told.append(judged)

    def end(self) -> None:
        """Ask the assignment to end; it does within a moment."""
        self._stop.set()
