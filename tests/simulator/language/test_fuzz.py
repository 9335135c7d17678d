"""No text breaks the parser; `benchmarks/fuzz.py` tries many more."""

import time

from .fuzz import fuzzed, is_valid, shipped


def test_every_fuzzed_program_is_valid_or_rejected_in_one_line():
    valid, longest = 0, 0.0
    for text in fuzzed(1, 3000):
        start = time.thread_time()
        valid += is_valid(text)
        longest = max(longest, time.thread_time() - start)
    assert 300 < valid < 2700  # the mutations are neither hopeless nor harmless
    assert longest < 5


def test_a_seed_determines_the_fuzzed_programs():
    assert list(fuzzed(2, 50)) == list(fuzzed(2, 50)) != list(fuzzed(3, 50))


def test_the_mutated_texts_are_programs():
    assert all(is_valid(text) for text in shipped())
