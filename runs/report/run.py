"""What a run says beside the record of its best design."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .history import HistoryRow
from .simulations import Simulation


@dataclass(frozen=True)
class Run:
    """A run, as far as it is known.

    Attributes
    ----------
    history
        The improvements.
    others
        Further records.
    summary
        With evaluations and time.
    simulations
        What packets saw of the best design, and then of others.
    """

    history: Sequence[HistoryRow] = ()
    others: Sequence[Mapping[str, Any]] = ()
    summary: Mapping[str, Any] | None = None
    simulations: Sequence[Simulation] = ()
