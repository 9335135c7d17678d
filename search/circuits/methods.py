"""How circuits are searched: annealing walks from the designs of rules, enumeration, and a proof beside the walks."""

from collections.abc import Generator, Sequence

from isoplane.objectives import Lexicographic

from ..core.chain_setup import ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal
from ..strategies.enumerate import Enumerate, may_enumerate
from .all_assignments import AllAssignments
from .circuit_chains import circuit_chains
from .proof_rounds import interleave_proof
from .rule_rounds import rule_rounds
from .space import CircuitSpace

ROUNDS_BEFORE_PROOF = 8  # of the walks: a few seconds, so that a short search does not spend its time on the bound
WALKS = 4  # default number of annealing walks


class CircuitMethods(Methods[CircuitSpace]):
    """Methods for circuits of an optical switch."""

    searches = CircuitSpace

    def candidates(self, objective: Lexicographic) -> AllAssignments:
        """Return all assignments."""
        return AllAssignments(self.space, self.space.fitted(objective))

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[CircuitSpace] | None:
        """Return annealing walks over circuits, and over placements if these are free.

        Raises
        ------
        InputError
            If a parameter does not apply to circuits.
        """
        return circuit_chains(self.space, self.space.fitted(objective), settings, starts)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind for circuits."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return enumeration if it takes at most about 15 s; else annealing from the designs of all rules."""
        return Enumerate() if may_enumerate(self.space, objective) else Anneal(chains=WALKS)

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield the designs of the rules."""
        yield from rule_rounds(self.space, self.space.fitted(task.objective), task.start, replayed)

    def interleaved(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: ChainSetup[CircuitSpace],
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of walks and, once for a tree, a bound of the bottleneck time from integer programming."""
        if not self.space.has_tree:
            yield from rounds
            return
        evaluations_before = ROUNDS_BEFORE_PROOF * setup.share * len(setup.kinds)
        yield from interleave_proof(rounds, task, self.space, starts, evaluations_before)
