"""The job list of a sweep: what each job is told to do, what one without a result leaves, and how many finished."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import yaml

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.exact_text import counted
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.config.config_values import words_of_folders

JOBS = "multirun.yaml"  # Hydra's job list of a sweep
KEPT = ".multirun.yaml"  # its copy while the sweep is resumed, because Hydra writes one of that command
FAILURE = "failure.json"  # in the folder of a job without a result
NOT_BEGUN = {"words": "not begun", "status": "not begun"}  # of the row of a job without a folder
UNFINISHED = ("failed", "interrupted", "running or killed", "without a result", "not begun")
NUMBERED = "${hydra.job.num}"  # what Hydra calls the folders of jobs unless it is told otherwise


@contextmanager
def kept_job_list(folder: Path) -> Iterator[None]:
    """Keep the job list of a sweep in a copy while Hydra resumes the sweep, and put it back at the end.

    A killed program leaves the copy, which `job_list_of` prefers.
    """
    write_atomically(folder / KEPT, job_list_of(folder).read_bytes())
    try:
        yield
    finally:
        (folder / KEPT).replace(folder / JOBS)


def job_list_of(folder: Path) -> Path:
    """Return the file that holds the job list with which a sweep was started."""
    return folder / (KEPT if (folder / KEPT).exists() else JOBS)


def write_failure(folder: Path, options: Sequence[str], code: int, messages: Sequence[str]) -> None:
    """Write what a job without a result was to do, and why it has none.

    Parameters
    ----------
    folder
        Its folder; nothing is written if it does not exist, or has files.
    options
        Its overrides, those of the sweep included.
    code, messages
        Its exit code, and what it printed on standard error.
    """
    from isoplane.runs.records import text_of  # slow to import, like all that knows records

    if folder.is_dir() and not any(folder.iterdir()):
        failure = {"options": list(options), "code": code, "message": " ".join(messages)}
        write_atomically(folder / FAILURE, text_of(failure))


def job_words(hydra: Mapping[str, Any]) -> list[tuple[list[str], dict[str, str]]]:
    """Return the overrides of each job of a sweep, and the values of those that jobs do not share, by key.

    Only Hydra's own sweeper knows them before the jobs run; the list is empty for others.

    Parameters
    ----------
    hydra
        Hydra's own part of the config of the sweep.
    """
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
    from hydra.core.override_parser.overrides_parser import OverridesParser

    if not hydra["sweeper"]["_target_"].endswith(".BasicSweeper"):
        return []
    params = hydra["sweeper"].get("params") or {}
    given = [*(f"{key}={value}" for key, value in params.items()), *hydra["overrides"]["task"]]
    parsed = OverridesParser.create().parse_overrides(given)
    if any(override.is_sweep_override() and not override.is_discrete_sweep() for override in parsed):
        return []
    shared = {override.input_line for override in parsed if not override.is_sweep_override()}
    jobs = [words for batch in BasicSweeper.split_arguments(parsed, max_batch_size=None) for words in batch]
    if len(jobs) > 1:  # values that are written as a sweep of one
        shared.update(set(jobs[0]).intersection(*jobs))
    parts = [[word.lstrip("+").partition("=") for word in words if word not in shared] for words in jobs]
    return [(list(words), {key: value for key, _, value in own}) for words, own in zip(jobs, parts, strict=True)]


def saved_words(content: bytes) -> list[tuple[list[str], dict[str, str]]]:
    """Return what `job_words` returns for the job list of a sweep, which `--multirun` has written.

    Raises
    ------
    ValueError
        If it is none.
    """
    return saved_sweep(content)[1]


def saved_sweep(content: bytes) -> tuple[str, list[tuple[list[str], dict[str, str]]], bool]:
    """Return the verb of a sweep, what `saved_words` returns, and whether folders of jobs are called by their numbers.

    Raises
    ------
    ValueError
        If the content is no job list.
    """
    from hydra.errors import HydraException

    try:
        hydra = yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["hydra"]
        is_numbered = hydra.get("sweep", {}).get("subdir", NUMBERED) == NUMBERED
        return str(hydra.get("job", {}).get("config_name")), job_words(hydra), is_numbered
    except (yaml.YAMLError, HydraException, KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def sweep_folders(folder: Path) -> list[str]:
    """Return the words that gave a sweep its folders of choices; none of what is no sweep, or is damaged."""
    with suppress(OSError, yaml.YAMLError, KeyError, TypeError, AttributeError):
        content = read_input(job_list_of(folder))
        return words_of_folders(yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["hydra"])
    return []


def last_options(config: Path, options: Sequence[str], last: Mapping[str, Any]) -> list[str]:
    """Return the options of a job with the limits that it ran with last, where it was resumed with others.

    Parameters
    ----------
    config
        The file of the config with which it began.
    options
        What it began with.
    last
        The limits that its record states.
    """
    text = read_input(config) if last and config.exists() else b"{}"
    try:
        first = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)).get("stop") or {}
    except (yaml.YAMLError, AttributeError) as error:
        raise InputError(f"{config}: damaged ({' '.join(str(error).split())}); expected that of a search") from error
    words = {word.partition("=")[0]: word for word in options}
    new = {f"stop.{key}": value for key, value in last.items() if key in first and value != first[key]}
    return list((words | {key: f"{key}={'null' if value is None else value}" for key, value in new.items()}).values())


def finished_jobs(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return in words how many of the jobs of a sweep finished, and what the others are; empty if all did.

    Parameters
    ----------
    rows
        What is known of each job.

    Examples
    --------
    >>> finished_jobs([{"words": "", "stopped_by": "evaluations"}, {"words": "", "stopped_by": "interrupt"}])
    '1 of 2 jobs finished; 1 interrupted'
    """
    states = Counter(map(_state, rows))
    if states["finished"] == len(rows):
        return ""
    others = ", ".join(f"{states[name]} {name}" for name in UNFINISHED if states[name])
    return f"{states['finished']} of {counted(len(rows), 'job')} finished; {others}"


def _state(row: Mapping[str, Any]) -> str:
    """Return ``finished``, or which of `UNFINISHED` a job is."""
    if row["words"] == NOT_BEGUN["words"]:
        return NOT_BEGUN["words"]
    if "code" in row:
        return "failed"
    if "stopped_by" in row:
        return {None: "running or killed", "interrupt": "interrupted"}.get(row["stopped_by"], "finished")
    return "finished" if "compared" in row else "without a result"
