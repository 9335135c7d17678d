"""Packet simulation of a network with circuits, with its progress on standard error."""

import time

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine

from .hybrid import HybridSimulation, simulated


def simulate_with_progress(design: Design, workload: Workload, shorten: int, what: str) -> HybridSimulation:
    """Simulate a design, and show the progress on standard error.

    Parameters
    ----------
    design, workload, shorten
        The design and workload to simulate, and the factor that shortens messages.
    what
        Name of the simulation in the progress line.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C.
    """
    began = time.monotonic()
    line = LiveLine(shown_at=began)

    def on_progress(relay: str, share: float) -> None:
        if INTERRUPT.requested:
            raise KeyboardInterrupt
        if line.due():
            arrived = f"relay by {relay}: {100 * share:.0f} % of the messages have arrived"
            line.show(f"{time.monotonic() - began:6.1f} s  {what}, {arrived}")

    try:
        return simulated(design, workload, shorten, on_progress)
    finally:
        line.close()
