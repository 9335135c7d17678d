"""EvalNet: the numbers of routers and links, then the neighbours of each router in a separate line."""

import re
from collections import Counter

from ..importer import CableEntry, Importer, Listing, Source

COUNT = re.compile(r"[0-9]{1,9}")
SUFFIXES, OTHERS = (".adj", ".evalnet"), (".txt",)  # of adjacency lists, and of text of any kind


def read(source: Source) -> Listing:
    """Return the routers; each link is listed by both of its routers, or everywhere by the first one only."""
    lines = source.text.split("\n")
    rows = [_integers(source, number, line) for number, line in enumerate(lines, start=1)]
    if len(rows[0]) != 2:
        raise source.wrong(1, repr(lines[0][:40]), "the numbers of routers and links")
    routers, links = rows[0]
    # Only lines beyond the last router: one without neighbours has an empty line of its own.
    while len(rows) > routers + 1 and not rows[-1]:
        rows.pop()
    if len(rows) - 1 != routers:
        problem = f"{len(rows) - 1} lines of neighbours after the first for {routers} routers"
        raise source.wrong(min(len(rows), routers + 2), problem, "a line for each router")
    listed: Counter[tuple[int, int]] = Counter()
    line_of: dict[tuple[int, int], int] = {}
    for router, row in enumerate(rows[1:]):
        for other in row:
            if not 0 <= other < routers or other == router:
                raise source.wrong(
                    router + 2, f"neighbour {other} of router {router}", f"others from 0 to {routers - 1}"
                )
            listed[router, other] += 1
            line_of.setdefault((router, other), router + 2)
    pairs = _both_ends(source, listed, line_of) if sum(listed.values()) == 2 * links else listed
    if sum(pairs.values()) != links:
        raise source.wrong(
            1, f"{links} links, but {sum(listed.values())} neighbours in all", "two for each link, or one"
        )
    found = [
        CableEntry((f"{a}", f"{b}"), line_of[a, b]) for (a, b), count in sorted(pairs.items()) for _ in range(count)
    ]
    return Listing(tuple(map(str, range(routers))), (), tuple(found))


def _integers(source: Source, number: int, line: str) -> list[int]:
    try:
        return [int(word) for word in line.split()]
    except ValueError as error:
        raise source.wrong(number, repr(line.strip()[:40]), "integers") from error


def _both_ends(
    source: Source, listed: Counter[tuple[int, int]], line_of: dict[tuple[int, int], int]
) -> Counter[tuple[int, int]]:
    """Return each link once, after checking that both of its routers list it."""
    for (router, other), count in listed.items():
        if listed[other, router] != count:
            raise source.wrong(
                line_of[router, other],
                f"router {router} has {count} links to {other}, which has {listed[other, router]} to it",
                "each link at both of its routers",
            )
    return Counter({pair: count for pair, count in listed.items() if pair[0] < pair[1]})


def accepts(source: Source) -> bool:
    """Whether its name is that of an adjacency list, or the first line has the number of lines that follow."""
    lines = source.text.rstrip().split("\n")
    first, suffix = lines[0].split(), source.suffix
    is_count = len(first) == 2 and all(map(COUNT.fullmatch, first)) and len(lines) - 1 == int(first[0])
    return suffix in SUFFIXES or (suffix in OTHERS and is_count)


IMPORTER = Importer("EvalNet", accepts, read)
