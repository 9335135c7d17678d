"""Fleets, which execute calls in parallel: threads or processes of this machine, or a Ray cluster."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .processes import Processes
    from .threads import POLL_INTERVAL_S, Fleet, Threads
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = ["POLL_INTERVAL_S", "Fleet", "Processes", "Threads"]
