"""A handle on a running assignment, for other threads."""

from threading import Event, Lock

from isoplane.models.circuits import Circuits

from ..branch_and_check import CircuitTimes
from ..local_search import order


class SolverHandle:
    """The incumbents of a running assignment, and a means to end it.

    A copy in another process is independent: it does not receive a request to end, and its incumbents arrive with the
    result.

    Parameters
    ----------
    stop
        Event that requests an end; assignments that share it end together.

    Attributes
    ----------
    solvers
        The solvers used so far, in order.

    Examples
    --------
    >>> running = SolverHandle()
    >>> running.report(CircuitTimes(9, 20, Circuits(((0, 2),))))
    >>> running.report(CircuitTimes(9, 30, Circuits(((0, 3),))))
    >>> running.end()
    >>> [circuits.pairs for circuits in running.found], running.ended
    ([((0, 2),)], True)
    """

    def __init__(self, stop: Event | None = None) -> None:
        self._lock = Lock()
        self._incumbents: list[CircuitTimes] = []
        self._stop = stop or Event()
        self.solvers: list[str] = []

    def __reduce__(self) -> tuple[type["SolverHandle"], tuple[()]]:
        # A lock cannot be pickled, and nobody shares it in another process.
        return SolverHandle, ()

    @property
    def found(self) -> list[Circuits]:
        """All incumbents so far, in the order in which they were found."""
        with self._lock:
            return [incumbent.circuits for incumbent in self._incumbents]

    @property
    def ended(self) -> bool:
        """Whether an end is requested."""
        return self._stop.is_set()

    def report(self, evaluated: CircuitTimes) -> None:
        """Add circuits if they improve on the incumbent."""
        with self._lock:
            if not self._incumbents or order(evaluated) < order(self._incumbents[-1]):
                self._incumbents.append(evaluated)

    def end(self) -> None:
        """Request that the assignment end; it does so promptly."""
        self._stop.set()
