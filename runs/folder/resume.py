"""`resume=FOLDER`: continue a run in its folder, with its own config."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from omegaconf.errors import OmegaConfBaseException

from isoplane.models import InputError, Network
from isoplane.models.files.bounded_file import read_input
from isoplane.objectives import Lexicographic, gap_text, relative_gaps
from isoplane.runs.config.allowed_keys import check_keys
from isoplane.runs.config.config_values import SIZES, key_of
from isoplane.runs.config.limit_words import LIMITS
from isoplane.runs.config.strategies import saved_strategy
from isoplane.runs.inputs.yaml_files import read_yaml
from isoplane.runs.records import design_of_record, network_of, proof_status, read_record, scope_of, stop_text
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.messages import print_message
from isoplane.search import Limits

from .checkpoint import FolderCheckpoint
from .folder_lock import JOURNAL, resume_command
from .run_folder import START
from .sweep_table import compared_cells

# Options that may change on resumption: they affect when the run ends and where it runs, never its results.
FREE_OF_SEARCHES = ("stop", "workers", "fleet")
FREE_OF_COMPARISONS = ("workers", "fleet", "columns", "format")
REPORT = "report.html"
PROVEN = ("complete", "optimal")  # stopped_by of runs that cannot be improved


def resumed_config(folder: Path, given: Mapping[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    """Return the config that a run was started with, updated by the command line.

    Parameters
    ----------
    folder
        Folder of the run.
    given
        The composed config of the command line.
    overrides
        Its overrides: only stopping criteria, workers, fleet, and the same strategy again.

    Raises
    ------
    InputError
        If another override is given, the folder holds no run, or its config names a strategy that is not built in.
    """
    absent = {**dict.fromkeys(("judge", "subject_to", *SIZES, *LIMITS)), "shorten": "auto"}  # in all, or in older runs
    config = {**absent, **_saved_config(folder, "search", "stop")}
    try:
        config["strategy"] = saved_strategy(config, given)
    except InputError as error:
        raise InputError(f"resume={folder}: {error}") from error
    for word in overrides:
        group, _, inner = key_of(word).partition(".")
        if group == "strategy" and config["strategy"] == given["strategy"]:
            continue
        if group not in (*FREE_OF_SEARCHES, "resume"):
            raise InputError(f"resume={folder}, {word}: fixed by the run; expected stop.*, workers, fleet")
        if group == "stop" and inner:
            config["stop"] = {**config["stop"], inner: given["stop"].get(inner)}
        elif group != "resume":
            config[group] = given[group]
    check_keys("search", config)
    return config


def resumed_comparison(folder: Path, given: Mapping[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    """Return the config that a comparison was started with, updated by the command line."""
    config = _saved_config(folder, "comparison", "throughput")
    for word in overrides:
        key = key_of(word)
        if key not in (*FREE_OF_COMPARISONS, "resume"):
            expected = ", ".join(FREE_OF_COMPARISONS)
            raise InputError(f"resume={folder}, {word}: fixed by the comparison; expected {expected}")
        config[key] = given[key]
    config |= {key: given[key] for key in ("columns", "format")}  # of what is printed: no part of the comparison
    check_keys("compare", config)
    return config


@contextmanager
def resume_advised(verb: str, folder: Path) -> Iterator[None]:
    """Add the command that continues a run to errors of the system, such as a full disk, once it can be resumed."""
    try:
        yield
    except (OSError, MemoryError) as error:
        if (folder / "config.yaml").exists():
            error.add_note(f"continue with {resume_command(verb, folder)}")
        raise


def complete_comparison(folder: Path) -> tuple[int, list[dict[str, Any]]] | None:
    """Return the exit code of a complete comparison, and its rows with their values; None if it can continue."""
    if not (folder / REPORT).exists() or (folder / JOURNAL).exists():
        return None
    cells = compared_cells(folder)
    found = any("design" in row and row["existing"] is None for row in cells)
    return codes.DONE if found else codes.NOTHING_FEASIBLE, cells


def saved_warm_start(folder: Path) -> tuple[int, ...] | None:
    """Return the warm start of a run from its checkpoint; the file that gave it may be gone."""
    page = FolderCheckpoint(folder / "checkpoint").load(START)
    return None if page is None else tuple(page)


def exit_code_if_finished(folder: Path, objective: Lexicographic, limits: Limits) -> int | None:
    """Return the exit code of a finished run, after printing that it is; None if it can continue."""
    summary = summary_of(folder)
    if summary is None or not is_concluded(folder, summary):
        return None
    reached = (
        summary["stopped_by"] in PROVEN
        or (limits.evaluations is not None and summary["evaluations"] >= limits.evaluations)
        or (limits.seconds is not None and summary["seconds"] >= float(limits.seconds))
    )
    return report_finished(folder, summary, objective, limits) if reached else None


def report_finished(folder: Path, summary: Mapping[str, Any], objective: Lexicographic, limits: Limits) -> int:
    """Print that a run has nothing left to do, and return its exit code."""
    best = folder / "records" / summary["best"]
    record = read_record(best)
    scope = scope_of(network_of(record), record.get("bound_source"))
    rest = f"no design is better over {scope}" if summary["stopped_by"] in PROVEN else "raise the limit to continue"
    print(
        f"nothing to do: {folder} has {summary['evaluations']} evaluations in {summary['seconds']:.1f} s, "
        f"{stop_text(summary)}; {rest}"
    )
    print(f"{proof_status(record['score_names'], record['score'], record['bound'], scope)}: {best}")
    if not objective.meets_limits(record["score"]):
        return codes.NOTHING_FEASIBLE
    return goal_code(objective, limits, tuple(record["score"]), record["bound"], design_of_record(record).network)


def goal_code(
    objective: Lexicographic, limits: Limits, score: tuple[int, ...], bound: Sequence[int | None], network: Network
) -> int:
    """Return the exit code of a search with a result, after printing which target or gap that has not reached."""
    if limits.reached(objective, score, bound, network):
        return codes.DONE
    missed = []
    if limits.target is not None:
        best = f"{objective.printed(score, network):.6g}"
        missed.append(f"stop.target={limits.target} was not reached (best {objective.name} {best})")
    if limits.gap is not None:
        gap = relative_gaps(score, bound)[objective.first]
        known = "unknown" if gap is None else gap_text(gap)
        missed.append(f"stop.gap={limits.gap} was not reached (gap {known})")
    print_message(f"isoplane search: {'; '.join(missed)}")
    return codes.TARGET_NOT_REACHED


def next_steps(folder: Path, best: str) -> str:
    """Return what to do with the result of a finished run.

    Parameters
    ----------
    folder, best
        The folder of the run, and the file name of its best record.

    Examples
    --------
    >>> next_steps(Path("a run"), "cube.json").partition(";")[0]
    "next: isoplane verify 'record=a run/records/cube.json'"
    """
    shown = shown_folder(folder)
    record, page = shlex.quote(f"record={shown / 'records' / best}"), shlex.quote(f"{shown / REPORT}")
    return f"next: isoplane verify {record}; isoplane export {record} format=graphml; open {page} in a browser"


def shown_folder(folder: Path) -> Path:
    """Return a folder as it is shown in commands: from the working folder if it is in that."""
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder


def summary_of(folder: Path) -> dict[str, Any] | None:
    """Return the summary of a run, None if there is none yet."""
    try:
        summary: dict[str, Any] = json.loads(read_input(folder / "summary.json").decode("utf-8"))
        if missing := {"best", "stopped_by", "evaluations", "seconds", "status"} - set(summary):
            raise ValueError(f"no {min(missing)}")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"resume={folder}: summary.json is damaged ({error}); expected that of a search") from error
    return summary


def is_concluded(folder: Path, summary: Mapping[str, Any]) -> bool:
    """Whether a run ended with its report, neither interrupted nor killed."""
    return summary["stopped_by"] not in (None, "interrupt") and (folder / REPORT).exists()


def _saved_config(folder: Path, kind: str, key: str) -> dict[str, Any]:
    """Return the saved config of a kind of run, all of which have a key."""
    try:
        saved = read_yaml(folder / "config.yaml")
    except FileNotFoundError as error:
        raise InputError(f"resume={folder}: no run in it; expected the folder of a {kind}") from error
    except (OSError, InputError, OmegaConfBaseException) as error:
        reason = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise InputError(f"resume={folder}: config.yaml is damaged ({reason}); expected that of a {kind}") from error
    if not isinstance(saved, dict) or not saved.get(key):
        raise InputError(f"resume={folder}: config.yaml is not that of a {kind}; expected the folder of a {kind}")
    return {str(key): value for key, value in saved.items()}
