"""Inner loops of the search over connection sets."""

from collections.abc import Sequence

class Evaluator:
    """Judges bases of one dimension and family; immutable."""

    def __init__(
        self,
        n: int,
        folded: bool,
        components: Sequence[Sequence[int]],
        length_mm: Sequence[int],
        price_cents: Sequence[int],
        hop: int,
        cable_mm: int,
        endpoint: int,
        fixed_cents: int,
    ) -> None: ...

class Chain:
    """One annealing chain; its seed and stream decide its course."""

    def __init__(
        self,
        evaluator: Evaluator,
        front: bool,
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        seed: int,
        stream: int,
        start: Sequence[int] | None,
    ) -> None: ...
    @staticmethod
    def restored(
        evaluator: Evaluator,
        front: bool,
        coolest: float,
        hottest: float,
        fall: float,
        first_leg: int,
        growth: float,
        state: Sequence[int],
    ) -> Chain:
        """
        The chain whose state this is, made as that one; ValueError if the state is damaged.
        """

    def state(self) -> list[int]:
        """All that decides its course from here on, as words of 64 bits."""

    def offer(self, generators: Sequence[int]) -> None:
        """Let it know a basis of another chain."""

    def run(self, evaluations: int) -> None:
        """Advance by so many evaluations."""

    def designs(self) -> list[list[int]]:
        """The best basis so far, or the front; each as generators."""

    @property
    def evaluations(self) -> int: ...

EXACT_MAX_N: int = 7

class ExactSearch:
    """What the lanes of an exact search share; immutable."""

    def __init__(self, evaluator: Evaluator, front: bool) -> None: ...
    @property
    def units(self) -> int: ...

class ExactLane:
    """Walks every step-th unit of an exact search, from the first on."""

    def __init__(self, search: ExactSearch, first: int, step: int) -> None: ...
    def run(self, evaluations: int, incumbents: Sequence[Sequence[int]]) -> list[list[int]]:
        """
        Walk on for so many evaluations; return the designs that survive, incumbents among them.
        """

    @property
    def done(self) -> bool: ...
    @property
    def evaluations(self) -> int: ...
