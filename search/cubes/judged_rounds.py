"""Rounds of a search whose designs are judged by a simulation: few of them, since each takes a while."""

from collections.abc import Generator
from dataclasses import replace

from ..space import Candidate
from ..strategy import Round


def judged_rounds(rounds: Generator[Round, None, None], starts: tuple[Candidate, ...]) -> Generator[Round, None, None]:
    """Yield rounds with at most one design each: the newest that has not been yielded, by the walks in turn.

    Parameters
    ----------
    rounds
        Rounds with the designs that walks keep. A round with as many evaluations as the last one repeats it.
    starts
        Designs that have been judged.
    """
    seen, waiting, evaluations, number = set(starts), list[Candidate](), -1, 0
    for round_ in rounds:
        if round_.evaluations == evaluations:
            yield replace(round_, designs=())
            continue
        evaluations, number = round_.evaluations, number + 1
        new = [design for design in dict.fromkeys(round_.designs) if design not in seen]
        seen.update(new)
        if new:
            turn = number % len(new)
            waiting += [*new[:turn], *new[turn + 1 :], new[turn]]
        yield replace(round_, designs=(waiting.pop(),) if waiting else ())
