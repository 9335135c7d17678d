"""The strategy that applies a rule for circuits, without annealing."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models import InputError

from ..core.strategy import Round, Strategy, Task, require_space
from .rule_rounds import RULES, rule_candidates
from .space import CircuitSpace


@dataclass(frozen=True)
class CircuitRule(Strategy):
    """Circuits assigned by a rule, for each of the named placements of the space.

    Parameters
    ----------
    rule
        ``round_robin``, the rule of the paper; ``matching``; ``greedy``, the best of a sequence of growing sets; or
        ``balanced``, a short search that minimises only the bottleneck time.

    Raises
    ------
    InputError
        If the rule is unknown.

    References
    ----------
    `isoplane.search.circuits.rules`, `isoplane.search.circuits.rule_rounds`.

    Examples
    --------
    >>> CircuitRule("round_robin").name
    'round_robin'
    """

    rule: str

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"strategy.rule={self.rule}: expected {', '.join(RULES)}")

    @property
    def name(self) -> str:
        """Name of the strategy in records."""
        return self.rule

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield one round per set of circuits and placement."""
        candidates = rule_candidates(require_space(task, CircuitSpace, self.name), self.rule)
        candidates += [] if task.start is None else [task.start]
        for evaluations, candidate in enumerate(candidates, 1):
            yield Round(evaluations, (candidate,))
