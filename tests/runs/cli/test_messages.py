"""Whatever goes wrong, standard error has one line of bounded length, and the exit code is the documented one."""

import subprocess
import sys

from isoplane.runs.terminal.messages import CUT, LONGEST
from tests.cases import for_each

from .conftest import messages

LONG = 5000
DIGITS, NAME = "1" * LONG, "x" * LONG


@for_each(
    "words",
    [
        (NAME,),
        ("evaluate", f"--{NAME}"),
        ("evaluate", f"network.{NAME}=1"),
        ("evaluate", f"network={NAME}"),
        ("evaluate", "network.n=3", f"network.generators=[{','.join(['3'] * LONG)}]"),
        ("evaluate", f"record={'x' * 200}/{'y' * 200}/{'z' * 200}/{'w' * 200}"),
        ("export", "network=torus", f"format=[{NAME}]"),
        ("compare", f"nodes={DIGITS}"),
    ],
)
def test_an_error_is_one_line_of_bounded_length_whatever_the_input(isoplane, tmp_path, words):
    result = isoplane(*words)
    (line,) = messages(result.err)
    assert (result.code, result.out) == (2, "")
    assert line.startswith("isoplane")
    assert len(line) <= LONGEST
    assert list(tmp_path.iterdir()) == []


def test_of_a_long_message_the_end_is_kept_because_it_says_what_is_expected(isoplane):
    (message,) = messages(isoplane("evaluate", f"network={'x' * 240}").err)
    assert message.startswith("isoplane evaluate: network=xxx")
    assert CUT in message
    assert message.endswith(", xgft, xpander")


LIMITED = """
import resource, sys
from pathlib import Path
from isoplane.runs.cli.main import main
import isoplane.runs.cli.evaluate, isoplane.runs.cli.simulate
pages = int(Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (48 << 20),) * 2)
sys.exit(main(sys.argv[1:]))
"""


@for_each("verb", ["simulate", "evaluate"])
def test_too_little_memory_ends_a_verb_with_one_line(tmp_path, verb):
    words = (verb, "network=torus", "network.shape=[64,64,64]")
    result = subprocess.run([sys.executable, "-c", LIMITED, *words], cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, ""), result.stderr[-2000:]
    (line,) = messages(result.stderr)
    assert line.startswith(f"isoplane {verb}: not enough memory")
    assert "; expected more than the limit of " in line
    assert not list(tmp_path.glob("**/*.json"))


TOO_SMALL = """
import resource, sys
from isoplane.runs.cli.main import main
resource.setrlimit(resource.RLIMIT_AS, (1 << 26,) * 2)
sys.exit(main(["best"]))
"""


def test_too_little_memory_for_libraries_ends_the_program_with_one_line():
    result = subprocess.run([sys.executable, "-c", TOO_SMALL], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr[-2000:]
    assert result.stderr.startswith("isoplane best: not enough memory")
