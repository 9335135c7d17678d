"""Provenance of a record: program, seed and configuration, but not the machine or the time."""

import os
import platform
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from isoplane.models.workloads.workload import is_workload
from isoplane.objectives.scoring.expressions import SUBJECT_TO, is_in_words
from isoplane.objectives.scoring.functions import is_function

from .workloads import workload_json

# Options that must not change the bytes of a record: workers and machines, file paths, and the simulation of
# designs found.
AUTO = "auto"  # an objective that the space chooses
NOT_RECORDED = frozenset({"workers", "fleet", "resume", "warm_start", "record", "hydra", "judge", "shorten"})
ADDED = "subject_to"  # null in all old records
SOURCE = ("models", "objectives", "search", "runs", "conf", "CMakeLists.txt", "pyproject.toml", ":(exclude)runs/best")
LOCAL_PART = re.compile(r"\+g([0-9a-f]{7,40})(\.d\d+)?$")  # of a version between two tags, with the date of changes
GIT_SECONDS = 20  # a checkout on a slow network disk must not delay a search


def provenance(seed: int | None, strategy: str | None, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance of a record.

    Parameters
    ----------
    seed, strategy
        Seed and strategy of the search; None for a given network, which has no record.
    config
        The composed configuration as plain data; workers, fleet, resume and paths are left out, and limits if null.

    Examples
    --------
    >>> provenance(1, "anneal", {"workers": 2, "stop": {"evaluations": 100}})["config"]
    {'stop': {'evaluations': 100}}
    """
    recorded = {key: value for key, value in config.items() if key not in NOT_RECORDED}
    if recorded.get(ADDED, ...) is None:
        del recorded[ADDED]
    from importlib.metadata import version  # slow to import

    from isoplane.models.installed.version import __version__

    revision, uncommitted_changes = _state_of_the_program()
    return {
        "revision": revision,
        "uncommitted_changes": uncommitted_changes,
        "seed": seed,
        "strategy": strategy,
        "versions": {
            "isoplane": __version__,
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "igraph": version("igraph"),
        },
        "config": _plain(recorded),
    }


@cache
def _state_of_the_program() -> tuple[str | None, bool | None]:
    """Return the git state of this program, asked once: what it has imported stays, whatever changes afterwards."""
    root = Path(__file__).resolve().parents[2]
    if (root / ".git").exists():  # the version may be that of an earlier build
        return git_state(root)
    from isoplane.models.installed.version import __version__

    return state_in_version(__version__)


def state_in_version(version: str) -> tuple[str | None, bool | None]:
    """Return the revision that a version names, abbreviated, and whether the program differed from it when built.

    Examples
    --------
    >>> state_in_version("0.1.dev12+g23e3a98de"), state_in_version("0.1.dev12+g23e3a98de.d20260101")
    (('23e3a98de', False), ('23e3a98de', True))
    >>> state_in_version("1.0")
    (None, None)
    """
    found = LOCAL_PART.search(version)
    return (None, None) if found is None else (found[1], found[2] is not None)


def git_state(root: Path) -> tuple[str | None, bool | None]:
    """Return the git revision of a source checkout, and whether the program differs from that revision.

    Both are None if the folder is not the top of a checkout (a package may be installed inside another one) or
    git is missing. Only the program's own files count: the folder of a run may lie in the checkout as well.
    """
    top = _git(root, "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != root.resolve():
        return None, None
    changes = _git(root, "status", "--porcelain", "--", *SOURCE)
    return _git(root, "rev-parse", "--verify", "HEAD"), None if changes is None else bool(changes)


def _git(root: Path, *arguments: str) -> str | None:
    # A hook of another repository sets GIT_DIR; reading the state must not lock it against the user's git.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        completed = subprocess.run(
            # The checkout may belong to another user, as in containers; its code is running already.
            ["git", "-C", str(root), "-c", f"safe.directory={root}", *arguments],
            capture_output=True,
            check=True,
            env=environment | {"GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return completed.stdout.decode("utf-8", errors="replace").strip()


def _plain(value: object) -> Any:
    """Return data as JSON data with sorted keys, independent of the order of overrides."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in sorted((str(key), part) for key, part in value.items())}
    if is_workload(value):
        return workload_json(value)
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    # JSON has neither infinities nor NaN, which is the only value that differs from itself.
    if isinstance(value, float) and abs(value) != float("inf") and value == value:
        return value
    return str(value)


def label_triples(record: Mapping[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Yield the recorded name of an objective, and that in the config of the search, if it has one.

    A name says nothing of the score, unless it is in words, which are checked with the names of the score.
    """
    label = record["objective"].partition(SUBJECT_TO)[0]
    stated = record["provenance"].get("config", {}).get("objective")
    name = stated.get("name") if isinstance(stated, Mapping) else None
    if name not in (None, AUTO) and not is_in_words(label) and not is_function(label):
        yield "objective", label, name
