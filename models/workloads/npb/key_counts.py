"""Keys of the benchmark IS: how many of them each process sends to each other one."""

from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints

from .problem import MAX_PROCESSES

MULTIPLIER, SEED, MODULUS_LOG2 = 5**13, 314159265, 46
SUMMED = 4  # numbers of the generator for each key
_CHUNK = 1 << 16  # keys generated at once, which stay in the cache


# Log2 of the number of keys, of their values and of the buckets, by problem class.
CLASSES = {
    "S": (16, 11, 9),
    "W": (20, 16, 10),
    "A": (23, 19, 10),
    "B": (25, 21, 10),
    "C": (27, 23, 10),
    "D": (31, 27, 10),
}


def sent_keys(problem_class: str, processes: int, iterations: int) -> list[tuple[Ints, int]]:
    """Return the keys that processes send to each other in each iteration, one before the clock first.

    Parameters
    ----------
    problem_class, processes
        Class, and number of processes.
    iterations
        Number of timed iterations.

    Returns
    -------
    list of (int64[processes, processes], int)
        Keys by source and destination, and the number of successive iterations in which they are the same.

    References
    ----------
    NPB 3.3.1, IS/is.c, lines 558 to 710.

    Examples
    --------
    >>> [(times, keys.sum(axis=1).tolist()) for keys, times in sent_keys("S", 2, 1)]
    [(2, [32768, 32768])]
    """
    _, values_log2, buckets_log2 = CLASSES[problem_class]
    counts = _bucket_counts(problem_class).reshape(processes, -1, 1 << buckets_log2).sum(axis=1)
    shift, highest = values_log2 - buckets_log2, 1 << values_log2
    first = first_keys(problem_class, 2 * max(iterations, 1) + 11)
    keys = []
    for iteration in (1, *range(1, iterations + 1)):
        # In each iteration the benchmark overwrites two keys of process 0.
        for place, key in ((iteration, iteration), (iteration + 10, highest - iteration)):
            counts[0, first[place] >> shift] -= 1
            counts[0, key >> shift] += 1
            first[place] = key
        keys.append(_dealt(counts))
    runs = groupby(range(len(keys)), key=lambda i: keys[i].tobytes())
    return [(keys[next(same)], 1 + len(list(same))) for _, same in runs]


def first_keys(problem_class: str, count: int) -> Ints:
    """Return the first keys of the generator.

    A key is the sum of four successive numbers, as fractions, times a quarter of the number of values, rounded down.

    Examples
    --------
    >>> first_keys("S", 3).tolist()
    [1585, 825, 1060]
    """
    _, values_log2, _ = CLASSES[problem_class]
    return _sums(_successive(count), 1) >> (MODULUS_LOG2 + 2 - values_log2)


@cache
def _bucket_counts(problem_class: str) -> Ints:
    """Return the keys in each bucket of blocks of keys, one for each of the most processes."""
    keys_log2, _, buckets_log2 = CLASSES[problem_class]
    blocks = min(MAX_PROCESSES, 1 << keys_log2 - 8)
    per_block = (1 << keys_log2) // blocks
    chunk = min(per_block, _CHUNK)
    states = _successive(chunk)
    advance = pow(MULTIPLIER, SUMMED * chunk, 1 << MODULUS_LOG2)
    factor, buckets = 1, 1 << buckets_log2
    counts = np.zeros((blocks, buckets), dtype=np.int64)
    for block in range(blocks):
        for _ in range(per_block // chunk):
            bucket = _sums(states, factor) >> (MODULUS_LOG2 + 2 - buckets_log2)
            counts[block] += np.bincount(bucket, minlength=buckets)
            factor = factor * advance % (1 << MODULUS_LOG2)
    return counts


def _successive(count: int) -> NDArray[np.uint64]:
    """Return the first number of the generator for each of the first keys."""
    mask = np.uint64((1 << MODULUS_LOG2) - 1)
    numbers = np.array([SEED * MULTIPLIER % (1 << MODULUS_LOG2)], dtype=np.uint64)
    while len(numbers) < count:  # arithmetic modulo 2^64 is exact modulo 2^46
        ahead = np.uint64(pow(MULTIPLIER, SUMMED * len(numbers), 1 << MODULUS_LOG2))
        # A stretch of the sequence, times a power of the multiplier, is the stretch that follows it.
        numbers = np.concatenate([numbers, numbers * ahead & mask])
    return numbers[:count]


def _sums(states: NDArray[np.uint64], factor: int) -> Ints:
    """Return the sums of four successive numbers each, the first ones being some times a factor."""
    mask, multiplier = np.uint64((1 << MODULUS_LOG2) - 1), np.uint64(MULTIPLIER)
    number = states * np.uint64(factor) & mask
    # Four numbers of 46 bits have 48 bits in total.
    total = number.copy()
    for _ in range(SUMMED - 1):
        number = number * multiplier & mask
        total += number
    return total.astype(np.int64)


def _dealt(counts: Ints) -> Ints:
    """Return the keys by source and destination: a process takes buckets until it and those before have their share."""
    processes, buckets = counts.shape
    share = int(counts.sum()) // processes
    owner, total, process = np.zeros(buckets, dtype=np.int64), 0, 0
    for bucket, keys in enumerate(counts.sum(axis=0).tolist()):
        owner[bucket] = process
        total += keys
        if total >= (process + 1) * share:
            process += 1
    kept = owner < processes  # no key is in a bucket after the last process has its share
    dealt = np.zeros((processes, processes), dtype=np.int64)
    np.add.at(dealt.T, owner[kept], counts.T[kept])
    return dealt
