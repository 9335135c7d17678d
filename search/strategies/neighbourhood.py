"""Large-neighbourhood search over bases."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models.checks import check_int

from ..core.chain_strategy import ChainStrategy
from .temperatures import convert_number


@dataclass(frozen=True)
class Neighbourhood(ChainStrategy):
    """Walks that remove one to three generators and replace them by the best completion.

    Let H be the span of the generators that stay, and f_w(v) the contribution of the offsets v + H to the sum of
    distances when v is a sum of w missing generators, as in the tables of `Exact`. A completion by one generator a
    costs f_1(a), so that all 2^(n-1) completions are compared at once; one by two generators costs
    f_1(a) + f_1(b) + f_2(a + b), minimised over all pairs, where a is pruned if f_1(a) plus the minima of the other two
    terms exceeds the best sum so far. If three generators are replaced, the first is the best of a few random ones and
    the other two are optimal given the first. Cables add a term per generator. If the score depends on loads, tables
    assume that the proportions of the loads stay the same, and the most promising completions are evaluated.

    A walk is a variable neighbourhood descent: exchanges of coordinates, then one, two and three generators, starting
    over after each improvement; ties are broken at random. At a local optimum the walk is kicked (a few random
    generators are replaced by random ones) and descends again from the better of the last two local optima.

    The evaluations counted are those of the kernel, plus the work on tables, converted by its computation time, so that
    they are comparable with those of annealing.

    Parameters
    ----------
    chains
        Number of walks, independent of the number of workers.
    most
        Maximum number of generators replaced at once, 1..3.
    temperature
        A local optimum is accepted if it is worse than the last one by at most this value times -ln u, with u uniform
        in (0, 1), relative to the score of the identical planes; by default a sixtieth of the default `hottest` of
        `Anneal`.

    References
    ----------
    Shaw, Using constraint programming and local search methods to solve vehicle routing problems, 1998; Pisinger and
    Ropke, Large neighborhood search, 2010; Mladenović and Hansen, Variable neighborhood search, 1997.

    Examples
    --------
    >>> Neighbourhood().name
    'neighbourhood'
    """

    name: ClassVar[str] = "neighbourhood"

    most: int = 3
    temperature: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("strategy.most", self.most, 1, 3)
        if self.temperature is not None:
            convert_number(self, "temperature")
