"""`isoplane reproduce` of a figure that is simulated."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models import InputError
from isoplane.runs.figures.shibamura import format_table, reproduce

from .progress import LOG_INTERVAL_S, TERMINAL_INTERVAL_S
from .setup import fleet_of, seed_of


def reproduce_simulations(data: Mapping[str, Any]) -> None:
    """Simulate a figure, write its points, compare them, and print the comparison.

    Parameters
    ----------
    data
        The config.

    Raises
    ------
    InputError
        If a value is out of range.
    """
    if len(data["sizes"]) != 1:
        raise InputError(f"sizes={data['sizes']}: allowed is one number of nodes, such as [4096]")
    seed, opened, line = seed_of(data), fleet_of(data), _CountLine()
    folder = Path(HydraConfig.get().runtime.output_dir)
    with opened as fleet:
        verdicts = reproduce(
            data["figure"],
            data["sizes"][0],
            replications=data["replications"],
            seed=seed,
            fleet=fleet,
            folder=folder,
            watch=line.show,
        )
    line.close()
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"programs: {folder / 'programs'}")


@dataclass
class _CountLine:
    """Shows how many simulations have ended: one live line on a terminal, a line every few seconds elsewhere."""

    interactive: bool = field(default_factory=lambda: sys.stderr.isatty())
    _began: float = field(default_factory=time.monotonic)
    _shown_at: float = 0.0

    def show(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._shown_at < (TERMINAL_INTERVAL_S if self.interactive else LOG_INTERVAL_S) and done < of:
            return
        self._shown_at = now
        seconds = now - self._began
        line = f"{seconds:6.1f} s  {done} of {of} simulations  about {seconds * (of - done) / done:.0f} s left"
        print(f"\r\x1b[2K{line}" if self.interactive else line, end="" if self.interactive else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        if self.interactive:
            print(file=sys.stderr)
