"""The progress line on standard error."""

import sys
from dataclasses import dataclass, field

from isoplane.objectives import Lexicographic
from isoplane.runs.records import gaps_text
from isoplane.search import Limits, Progress

from .live_line import LiveLine


@dataclass
class ProgressLine:
    """Shows rate, best value and time left: one live line on a terminal, a line every few seconds elsewhere."""

    objective: Lexicographic
    limits: Limits
    workers: int = 1
    interactive: bool = field(default_factory=lambda: sys.stderr.isatty())
    _enumeration_began: float = 0.0  # seconds at which the enumeration began

    _last: Progress | None = None
    _shown: Progress | None = None

    def __post_init__(self) -> None:
        self._live = LiveLine(self.interactive)

    def show(self, progress: Progress) -> None:
        """Show a line if the last one is old enough."""
        if progress.searched == 0:
            self._enumeration_began = progress.seconds
        self._last = progress
        if self._live.due():
            self._shown = progress
            self._live.show(self.line(progress))

    def line(self, progress: Progress) -> str:
        """Return the line that describes the progress."""
        rate = progress.evaluations / max(progress.seconds, 1e-9)
        best = self.objective.printed(progress.score, progress.network)
        parts = [f"{progress.seconds:6.1f} s", f"best {self.objective.name} {best:.6g}"]
        gaps = gaps_text(self.objective.score_names, progress.score, progress.bound or ())
        if self.objective.front is None and gaps and any(gap is not None for gap in progress.gaps):
            parts.append(f"gap {gaps}")
        if progress.searched is not None and not _is_proven_by_bounds(progress):
            parts.append(f"{100 * progress.searched:.3g} % searched")
        if progress.left is not None:
            parts.append(progress.left.text)
        left = None if progress.complete else self._left_s(progress, rate)
        if left is not None:
            parts.append(f"{left:.0f} s left")
        # Last, because a narrow terminal cuts the end.
        parts.append(_rate_text(rate) + (f" with {self.workers} workers" if self.workers > 1 else ""))
        return "  ".join([*parts, f"{progress.evaluations:.3g} evaluations"])

    def outlook(self, progress: Progress) -> str | None:
        """Return the work left of an exhaustive search; None for other searches, and for scores at their bounds."""
        if progress.complete or progress.searched is None or _is_proven_by_bounds(progress):
            return None
        left = "" if progress.left is None else f"; {progress.left.text}"
        return f"{100 * progress.searched:.3g} % searched{left}"

    def close(self) -> None:
        """End the live line with the state in which the search ended, if it has shown an earlier one."""
        if self._shown is not None and self._last is not None and self._shown is not self._last:
            self._live.show(self.line(self._last))
            self._shown = self._last
        self._live.close()

    def _enumeration_left_s(self, progress: Progress, searched: float) -> float:
        return (progress.seconds - self._enumeration_began) * (1 / searched - 1)

    def _left_s(self, progress: Progress, rate: float) -> float | None:
        left = []
        if self.limits.seconds is not None:
            left.append(float(self.limits.seconds) - progress.seconds)
        if self.limits.evaluations is not None and rate > 0:
            left.append((self.limits.evaluations - progress.evaluations) / rate)
        if progress.searched:
            left.append(self._enumeration_left_s(progress, progress.searched))
        return max(0.0, min(left)) if left else None


def _is_proven_by_bounds(progress: Progress) -> bool:
    """Whether the score reaches its bounds before the search is exhausted: then what remains to be searched is moot."""
    return not progress.complete and all(gap == 0 for gap in progress.gaps) and len(progress.gaps) > 0


def _rate_text(rate: float) -> str:
    """Return the number of evaluations per second, in a unit in which it is at least 1."""
    if rate >= 1e6:
        return f"{rate / 1e6:.2f} M/s"
    return f"{rate / 1e3:.1f} k/s" if rate >= 1e3 else f"{rate:.1f} /s"
