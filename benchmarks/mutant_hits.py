"""A plugin of pytest that notes which test ran which marked line, in all processes that it starts, and for how long."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # programs that tests start import this module, too
    import pytest

FOLDER = Path(os.environ["ISOPLANE_MUTANT_HITS"])
SEEN: set[tuple[int, str]] = set()


def hit(number: int) -> None:
    """Note that the running test reached the line of a mutant."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (number, test) not in SEEN:
        SEEN.add((number, test))
        with (FOLDER / "hits.txt").open("a") as file:
            file.write(f"{number} {test}\n")


def pytest_runtest_logreport(report: "pytest.TestReport") -> None:
    """Note the seconds and the outcome of each phase of a test, in the process that collects them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with (FOLDER / "times.jsonl").open("a") as file:
            file.write(json.dumps([report.nodeid, report.duration, report.outcome]) + "\n")
