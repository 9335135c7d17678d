"""Fleets, which execute calls in parallel: threads of this machine, or a Ray cluster."""

from .threads import MOMENT_S, Fleet, Threads

__all__ = ["MOMENT_S", "Fleet", "Threads"]
