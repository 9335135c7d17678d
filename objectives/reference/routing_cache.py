"""Routing-table caches look-up by look-up: checksums bit by bit, and sets as lists of ids."""

from collections import Counter
from collections.abc import Iterable, Iterator

from isoplane.models import Crc, RoutingCache

KINDS = ("hit", "extra hit", "cold", "conflict", "capacity")
WORD = (1 << 64) - 1


def checksum(crc: Crc, data: bytes) -> int:
    """Return the CRC of some bytes: the remainder of their polynomial, divided bit by bit.

    Examples
    --------
    >>> hex(checksum(Crc(), b"123456789"))
    '0xcbf43926'
    """
    register, top = crc.initial, 1 << crc.width - 1
    for byte in data:
        for place in range(8) if crc.reflected else reversed(range(8)):
            is_odd = bool(register & top) ^ bool(byte >> place & 1)
            register = (register << 1) % (1 << crc.width) ^ (crc.polynomial if is_odd else 0)
    if crc.reflected:
        register = int(f"{register:0{crc.width}b}"[::-1], 2)
    return register ^ crc.final_xor


def set_of(cache: RoutingCache, destination: int) -> int:
    """Return the set in which a destination is looked up.

    Examples
    --------
    >>> set_of(RoutingCache(), 0) == 0x2144DF1C % 512
    True
    """
    if cache.hash is None:
        return destination % cache.sets
    size = cache.hash.id_bytes
    data = (destination % (1 << 8 * size)).to_bytes(size, cache.hash.byte_order)
    return checksum(cache.hash, data) % cache.sets


def look_ups(cache: RoutingCache, stream: Iterable[int], before: Iterable[int] = (), port: int = 0) -> Iterator[str]:
    """Yield the kind of each look-up of a port.

    A look-up misses ``cold`` if its destination was never looked up before, by ``conflict`` if a fully associative
    cache of the same entries and replacement holds it, and else by ``capacity``. An ``extra hit`` is one that the fully
    associative cache misses.

    Parameters
    ----------
    cache
        The cache.
    stream
        The destinations.
    before
        Destinations that the port has looked up before.
    port
        The number of the port, which draws its own random ways.

    Examples
    --------
    >>> cache = RoutingCache(entries=2, ways=1, hash=None)
    >>> list(look_ups(cache, [0, 2, 0, 1, 2, 0, 1]))
    ['cold', 'cold', 'conflict', 'cold', 'capacity', 'capacity', 'extra hit']
    """
    sets: list[list[int]] = [[] for _ in range(cache.sets)]
    every: list[int] = []
    draws, draws_of_every = _random_words(cache.seed, port), _random_words(cache.seed, port)
    seen: set[int] = set()
    earlier = list(before)
    for number, destination in enumerate([*earlier, *stream]):
        hit = _stored(cache.replacement, sets[set_of(cache, destination)], cache.ways, destination, draws)
        hit_of_every = _stored(cache.replacement, every, cache.entries, destination, draws_of_every)
        if number >= len(earlier):
            if hit:
                yield "hit" if hit_of_every else "extra hit"
            else:
                yield "cold" if destination not in seen else "conflict" if hit_of_every else "capacity"
        seen.add(destination)


def count_kinds(cache: RoutingCache, stream: Iterable[int], before: Iterable[int] = (), port: int = 0) -> list[int]:
    """Return the number of look-ups of each of `KINDS`; the parameters are those of `look_ups`."""
    counts = Counter(look_ups(cache, stream, before, port))
    return [counts[kind] for kind in KINDS]


def _stored(replacement: str, held: list[int], most: int, destination: int, draws: Iterator[int]) -> bool:
    """Look up a destination among those held, the next to be replaced first, store it, and return whether it hit."""
    if destination in held:
        if replacement == "lru":
            held.remove(destination)
            held.append(destination)
        return True
    if len(held) < most:
        held.append(destination)
    elif replacement == "random":  # each destination keeps its way
        held[(next(draws) >> 32) * most >> 32] = destination
    else:
        held.pop(0)
        held.append(destination)
    return False


def _random_words(seed: int, port: int) -> Iterator[int]:
    """Yield the numbers of splitmix64 from the state of a port: the first one of the seed, XOR a multiple of the port.

    References
    ----------
    Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
    """
    state = _mixed(seed + 0x9E3779B97F4A7C15) ^ port * 0xD1342543DE82EF95 & WORD
    while True:
        state = state + 0x9E3779B97F4A7C15 & WORD
        yield _mixed(state)


def _mixed(word: int) -> int:
    word &= WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
