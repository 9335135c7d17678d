"""The command line prints its version, and starts without libraries that it may not need."""

import subprocess
import sys
from importlib.metadata import version

from tests.cases import for_each


@for_each("words", [("--version",), ("-V",), ("search", "--version"), ("search", "network.n=3", "--version")])
def test_the_version_is_one_line_of_standard_output(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out, result.err) == (0, f"isoplane {version('isoplane')}\n", "")


def test_the_program_starts_without_libraries_that_are_slow_to_import():
    slow = "{'igraph', 'matplotlib', 'ortools', 'ray'}"
    command = f"import sys, isoplane.runs.cli.verbs; print({slow} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout == "set()\n"
