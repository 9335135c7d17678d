"""Fleets, which execute calls in parallel: threads or processes of this machine, or a Ray cluster."""

from .processes import Processes
from .threads import POLL_INTERVAL_S, Fleet, Threads

__all__ = ["POLL_INTERVAL_S", "Fleet", "Processes", "Threads"]
