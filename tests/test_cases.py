"""A test of many cases runs every one, and names the one that fails."""

import pytest

from .cases import for_each


def test_every_combination_of_cases_is_run_with_the_fixtures(tmp_path):
    seen = []

    @for_each("first", [1, 2])
    @for_each(("second", "third"), [(3, 4), (5, 6)])
    def check(first, second, third, fixture):
        seen.append((first, second, third, fixture))

    check(fixture=tmp_path)
    assert seen == [(first, *rest, tmp_path) for first in (1, 2) for rest in ((3, 4), (5, 6))]


def test_the_case_that_fails_is_named():
    @for_each("number", [1, 2, 3])
    def check(number):
        assert number < 2

    with pytest.raises(AssertionError) as raised:
        check()
    assert raised.value.__notes__ == ["in the case {'number': 2}"]


def test_a_test_without_cases_or_without_their_argument_is_refused():
    with pytest.raises(AssertionError, match="cannot fail"):
        for_each("number", [])
    with pytest.raises(AssertionError, match="lacks one of"):
        for_each("number", [1])(lambda other: None)
