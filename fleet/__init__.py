"""Fleets, which execute calls in parallel: threads of this machine, or a Ray cluster."""

from .threads import POLL_INTERVAL_S, Fleet, Threads

__all__ = ["POLL_INTERVAL_S", "Fleet", "Threads"]
