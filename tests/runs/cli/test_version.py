"""The command line says which version it is."""

from importlib.metadata import version

import pytest


@pytest.mark.parametrize(
    "words", [("--version",), ("-V",), ("search", "--version"), ("search", "network.n=3", "--version")]
)
def test_the_version_is_one_line_and_no_error(isoplane, words):
    ended = isoplane(*words)
    assert (ended.code, ended.out, ended.err) == (0, f"isoplane {version('isoplane')}\n", "")
