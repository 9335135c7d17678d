"""`resume=FOLDER` of a sweep: its jobs end in their folders as if nothing had disturbed them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf import DictConfig, read_write

from isoplane.models import InputError
from isoplane.runs.config.config_values import key_of
from isoplane.runs.folder.job_list import FAILURE, JOBS, job_list_of, job_words
from isoplane.runs.folder.resume import FREE_OF_COMPARISONS, FREE_OF_SEARCHES
from isoplane.runs.inputs.yaml_files import read_yaml
from isoplane.runs.terminal.interrupt import INTERRUPT

from .typed_words import PLAIN

# Options that may change, by verb: they affect when jobs end, where they run and what is printed, never their results.
FREE: Mapping[str, Sequence[str]] = {"search": FREE_OF_SEARCHES, "compare": FREE_OF_COMPARISONS}
LAUNCHER = ("hydra/launcher", "hydra.launcher")  # where jobs run
SUBDIR = "hydra.sweep.subdir"
TARGET = "_target_"  # of what is imported
Resumed = tuple[Path, list[str]]  # the folder of a sweep, and the overrides of this command


def sweep_to_resume(verb: str, words: Sequence[str]) -> tuple[list[str], Resumed] | None:
    """Return the overrides of an application that finishes a sweep; None if ``resume`` is not the folder of one.

    Parameters
    ----------
    verb, words
        The verb, and the overrides of its command line.

    Raises
    ------
    InputError
        If the sweep is one of another verb or sweeper, if its job list is damaged or names what would be imported or
        executed and is not given again, or if another override is given than those in `FREE` and of a launcher.
    """
    if verb not in FREE:
        return None
    parsed = OverridesParser.create().parse_overrides(list(words))
    given = {each.input_line or "": each for each in parsed if each.key_or_group != "resume"}
    folders = [each.value() for each in parsed if each.key_or_group == "resume" and not each.is_sweep_override()]
    if not folders or not (Path(str(folders[-1])) / JOBS).is_file():
        return None
    folder = Path(str(folders[-1]))
    saved, swept = _saved(folder, verb)
    task, launcher = list(saved["task"]), _of_launcher(saved["hydra"], list(given))
    for word in [*task, *launcher]:
        # Such as the commands of `hydra.launcher.setup`.
        names_code = TARGET in word or (_is_of_launcher(word) and not PLAIN.fullmatch(word.partition("=")[2]))
        if names_code and word not in given:
            raise InputError(f"resume={folder}, {word}: named in a file, not on the command line; expected it again")
    new = [word for word in given if word not in task and word not in launcher]
    for word in new:
        if key_of(word).partition(".")[0] not in FREE[verb] and not _is_of_launcher(word):
            free = f"only {', '.join(FREE[verb])} and a launcher with resume"
            raise InputError(f"resume={folder}, {word}: fixed by the sweep; expected {free}")
        if key_of(word) in swept or given[word].is_sweep_override():
            raise InputError(f"resume={folder}, {word}: jobs of a sweep differ in what it was started with only")
    if new and any(key_of(word) == SUBDIR and "override_dirname" in word for word in launcher):
        raise InputError(f"resume={folder}, {new[0]}: folders of jobs are named by their options; expected none")
    place = str(folder).replace("'", "\\'")
    own = [word for word in new if not _is_of_launcher(word)]
    return [*task, *launcher, *new, f"hydra.sweep.dir='{place}'"], (folder, own)


def _saved(folder: Path, verb: str) -> tuple[dict[str, list[str]], set[str]]:
    """Return the overrides of a sweep, those of Hydra apart, and the keys in which its jobs differ."""
    expected = "expected that of a --multirun sweep"
    try:
        hydra = read_yaml(job_list_of(folder))["hydra"]
        name, sweeper, saved = hydra["job"]["config_name"], hydra["sweeper"]["_target_"], hydra["overrides"]
        jobs, words = job_words(hydra), {name: list(map(str, saved[name])) for name in ("task", "hydra")}
    except (OSError, InputError, HydraException, KeyError, TypeError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"resume={folder}: {JOBS} is damaged ({reason}); {expected}") from error
    if name != verb:
        raise InputError(f"resume={folder}: a sweep of {name}; expected one of {verb}")
    if not jobs:
        raise InputError(f"resume={folder}: jobs of {sweeper} are not known before they run; {expected} of values")
    return words, {key for _, own in jobs for key in own}


def _of_launcher(saved: Sequence[str], given: Sequence[str]) -> list[str]:
    """Return the saved overrides that say where jobs run, unless others are given, and how their folders are called."""
    keys = {key_of(word) for word in given}
    kept = [word for word in saved if key_of(word) == SUBDIR or (_is_of_launcher(word) and LAUNCHER[0] not in keys)]
    return [word for word in kept if word in given or key_of(word) not in keys]


def _is_of_launcher(word: str) -> bool:
    key = key_of(word)
    return key in LAUNCHER or key.startswith(f"{LAUNCHER[1]}.")


def resumed_job(config: DictConfig, folder: Path, resumed: Resumed) -> DictConfig:
    """Return the config with which a job of a sweep continues in its folder, or begins.

    Parameters
    ----------
    config
        The config of the job with the overrides of this command.
    folder
        The folder of the job.
    resumed
        The sweep.
    """
    if INTERRUPT.requested:  # it does not begin
        return config
    (folder / FAILURE).unlink(missing_ok=True)
    if not (folder / "config.yaml").exists():
        return config
    hydra: Any = HydraConfig.get()
    with read_write(config), read_write(hydra):
        config.resume = str(folder)
        hydra.overrides.task = list(resumed[1])
    return config
