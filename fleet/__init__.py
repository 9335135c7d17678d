"""Where work runs: threads of this machine, or a Ray cluster."""

from .threads import MOMENT_S, Fleet, Threads

__all__ = ["MOMENT_S", "Fleet", "Threads"]
