"""Large-neighbourhood search over bases."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models.checks import check_int

from .run_searchers import run_searchers
from .strategy import Round, Task, require_score
from .temperatures import take_number


@dataclass(frozen=True)
class Neighbourhood:
    """Walks that take one to three generators away and put the best ones in their place.

    Let H be the span of the generators that stay, and f_w(v) what the offsets v + H add to the sum of distances when v
    is a sum of w missing generators, as in the tables of `Exact`. One generator a completes H for f_1(a), so that all
    2^(n-1) completions are compared at once; two complete it for f_1(a) + f_1(b) + f_2(a + b), minimised over all
    pairs, where a is skipped when f_1(a) and the least values of the other two exceed the best so far. Of three, the
    first is the best of a few random ones and the others are exact beside it. Cables add a term for each generator.
    Where loads count, tables take them to keep their proportions, and the most promising completions are judged.

    A walk descends through exchanges of coordinates and through one, two, three generators, from the smallest again
    after each success; among equal completions it takes a random one. At the end a few random generators are
    replaced at random, and it descends again, from the better end of the last two.

    Evaluations are those of the kernel, and work on tables by the time that it takes, as so many evaluations. So they
    compare with those of annealing.

    Parameters
    ----------
    chains
        How many walks, whatever the number of workers.
    most
        Generators that are replaced at once, 1..3.
    temperature
        A descent may end worse than the one before by this times -ln u, u uniform in (0, 1), relative to the score of
        the identical planes; by default a sixtieth of the temperature at which annealing begins at the hottest.

    Raises
    ------
    InputError
        If a parameter is out of range.

    References
    ----------
    Shaw, Using constraint programming and local search methods to solve vehicle routing problems, 1998; Pisinger and
    Ropke, Large neighborhood search, 2010; Mladenović and Hansen, Variable neighborhood search, 1997.

    Examples
    --------
    >>> Neighbourhood().name
    'neighbourhood'
    """

    chains: int = 8
    most: int = 3
    temperature: float | None = None

    def __post_init__(self) -> None:
        check_int("strategy.chains", self.chains, 1, 1024)
        check_int("strategy.most", self.most, 1, 3)
        if self.temperature is not None:
            take_number(self, "temperature")

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "neighbourhood"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all walks by the same number of evaluations in each round.

        Raises
        ------
        InputError
            If the objective is a front.
        """
        require_score(task, self.name)
        yield from run_searchers(task, (self,) * self.chains, self.name)
