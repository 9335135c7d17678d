"""The command line prints its version."""

from importlib.metadata import version

import pytest


@pytest.mark.parametrize(
    "words", [("--version",), ("-V",), ("search", "--version"), ("search", "network.n=3", "--version")]
)
def test_the_version_is_one_line_of_standard_output(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out, result.err) == (0, f"isoplane {version('isoplane')}\n", "")
