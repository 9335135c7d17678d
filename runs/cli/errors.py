"""Hydra's errors in one line that names the value and the expected ones."""

import errno
import re
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from subprocess import CalledProcessError

from hydra import compose, initialize_config_module
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import ConfigCompositionException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig, OmegaConf

from isoplane.models import InputError
from isoplane.models.errors import not_installed
from isoplane.runs.config.config_values import IN_PLACE, SPRAY
from isoplane.runs.config.installed_choices import choices_folder, shown_choices, shown_keys
from isoplane.runs.config.option_files import (
    COMMON,
    LAUNCHER,
    choices_of,
    groups_of,
    keys_of,
    option_name,
    options_of,
)
from isoplane.runs.terminal.memory import is_lack_of_memory, memory_text
from isoplane.runs.terminal.nearest import OF_OTHERS

from .typed_words import POSITIONAL
from .usage import VERBS

# Hydra plugins that the launchers use, with their packages and the extras that install them.
LAUNCHERS = {
    "submitit_slurm": ("hydra-submitit-launcher", "slurm"),
    "submitit_local": ("hydra-submitit-launcher, which also runs jobs in processes,", "slurm"),
    "ray": ("hydra-ray-launcher", "ray-sweep"),
}
# Of values that Hydra's own options do not take.
EXPECTED = {
    "could not be converted to Integer": "an integer",
    "could not be converted to Float": "a number",
    "is not a valid bool": "true or false",
    "is not Optional": "a value, not null",
}
KIND = re.compile("|".join(EXPECTED))
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})  # errors of a full file system


def describe(verb: str, overrides: Sequence[str], error: Exception) -> str:
    """Return the message of an exception in one line; Hydra's are extended with the expected choices.

    Parameters
    ----------
    verb, overrides
        The command line; overrides may be followed by flags.
    error
        The exception that ended the command.
    """
    if is_lack_of_memory(error):
        return f"{memory_text(error)}{_notes(error)}"
    figures = [word for word in overrides if re.match(r"\+*experiment\b", word)]
    if figures and verb != "reproduce":
        return f"{figures[0]}: experiments are published figures; allowed with reproduce only"
    structured = next((word for word in overrides if _is_structure(verb, word)), None)
    if structured is not None:
        return _not_a_choice([structured])
    if isinstance(error, OverrideParseException):
        return (
            f"{error.override!r}: expected overrides key=value; put lists in brackets, and quote values with "
            "special characters such as '='"
        )
    if isinstance(error, MissingConfigException):
        return _missing(overrides, error)
    if isinstance(error, ConfigCompositionException):
        unknown = re.search(r"Could not override '([^']+)'", str(error))
        if unknown:
            return _unknown(verb, overrides, unknown.group(1))
        group = re.match(r"Error merging override \+*([\w.]+)=\[", str(error))
        if group and "Cannot merge DictConfig with ListConfig" in str(error.__cause__):
            return _list_for_a_group(group.group(1))
        wrong = re.match(r"Error merging override \+*(.+)", str(error))
        kind = KIND.search(str(error.__cause__))
        if wrong and kind:
            return f"{wrong.group(1)}: expected {EXPECTED[kind.group()]}"
        cause = f": {error.__cause__}" if error.__cause__ is not None else ""
        return " ".join(f"{error}{cause}".split())
    if isinstance(error, ValueError) and "Config group override must be a string" in str(error):
        return _not_a_choice(overrides)
    if isinstance(error, OSError) and error.errno in DISK_FULL:
        place = error.filename or "disk or standard output"
        return f"{place}: {error.strerror}; expected a place with room: files already written are intact{_notes(error)}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}; expected a place that exists and can be written to{_notes(error)}"
    return " ".join(f"{error}{_notes(error)}".split())


def raise_launcher_error(verb: str, error: RuntimeError, *, any_result: bool, resume: str) -> None:
    """Re-raise an error of a sweep launcher in one line; ignore other errors.

    Parameters
    ----------
    verb, error
        The verb, and the error.
    any_result
        Whether any job has left a file.
    resume
        The command that continues such a sweep; empty if there is none.

    Raises
    ------
    InputError
        If a job could not be submitted, or was lost.
    """
    if type(error).__module__.partition(".")[0] != "submitit":
        return
    intact = "results of the other jobs are intact" if any_result else ""
    continues = f"continue with {resume}" if any_result and resume else ""
    lines = [line for line in str(error).splitlines() if line.strip(" -")]
    lines.append(str(error.__cause__ or type(error).__name__))  # of a program that says nothing
    reason = next((line for line in lines if "fatal:" in line), lines[0])
    if type(error).__name__ == "UncompletedJobError":  # its text names files and numbers of the launcher alone
        reason = "a job has ended without a result, as after a kill"
    parts = [f"{LAUNCHER}: {' '.join(reason.split())}; expected a launcher that completes its jobs", intact]
    parts.append(".submitit in the folder of the sweep has details")
    if isinstance(error.__cause__, CalledProcessError):
        program, options = Path(error.__cause__.cmd[0]).name, ", ".join(keys_of(LAUNCHER, "slurm"))
        reason = " ".join(reason.removeprefix(f"{program}: ").split())
        refused = f"{program} has refused the jobs ({reason}); expected options that this cluster takes, such as"
        explained = f"which isoplane {verb} --help {LAUNCHER}=slurm explains"
        parts = [f"{LAUNCHER}=slurm: {refused} {option_name(LAUNCHER, options)}, {explained}", intact]
    raise InputError("; ".join(filter(None, [*parts, continues]))) from error


def _notes(error: Exception) -> str:
    """Return what was noted on an exception on its way, such as how to continue."""
    return "".join(f"; {note}" for note in getattr(error, "__notes__", ()))


def _missing(overrides: Sequence[str], error: MissingConfigException) -> str:
    group, _, choice = (error.missing_cfg_file or "").rpartition("/")
    root = resources.files("isoplane.conf")
    while group and not root.joinpath(group).is_dir():
        group, _, folder = group.rpartition("/")
        choice = f"{folder}/{choice}"
    if group == "hydra/launcher" and choice in LAUNCHERS:
        return f"hydra/launcher: {not_installed(*LAUNCHERS[choice])}"
    if not group:
        return " ".join(str(error).split())
    choices = sorted({*_choices(root.joinpath(group)), *shown_choices(group, choices_folder(overrides))})
    others = {"network": _own_family, "objective": _in_words}.get(group)
    return f"{group}={choice}: expected {', '.join(choices)}{others(choice) if others else ''}"


def _in_words(metric: str) -> str:
    """Return how a metric is an objective, if it is one."""
    from isoplane.objectives import METRIC_TABLE

    if metric not in METRIC_TABLE:
        return ""
    return f", or a metric as in objective='{'max' if METRIC_TABLE[metric].higher_is_better else 'min'} {metric}'"


def _own_family(choice: str) -> str:
    """Return how a family of one's own is chosen, if a choice of a network is one, or the path of its class."""
    from isoplane.models.families import defined_family

    defined = defined_family(choice)
    if defined is not None:
        return f", or {defined.__name__}(...) as the design of a function in Python"
    path = choice.replace(":", ".")
    is_path = path.rpartition(".")[2][:1].isupper() and "." in path
    return f", or NAME with --config-dir DIR, where DIR/network/NAME.yaml has _target_: {path}" if is_path else ""


def _choices(folder: Traversable) -> list[str]:
    """Return the choices of a group; those in subfolders are prefixed with the folder's name."""
    names = []
    for entry in folder.iterdir():
        if entry.is_dir():
            names += [f"{entry.name}/{name}" for name in _choices(entry)]
        elif entry.name.endswith(".yaml"):
            names.append(entry.name.removesuffix(".yaml"))
    return sorted(names)


def _is_structure(verb: str, word: str) -> bool:
    """Whether a word gives a list or keys in place of a choice of a group."""
    group, _, value = word.partition("=")
    return group in groups_of(verb) and value.startswith(("[", "{"))


def _not_a_choice(overrides: Sequence[str]) -> str:
    """Return the error for a number, boolean, list or keys given as a choice; Hydra's own message does not name it."""
    for word in overrides:
        group, _, choice = word.partition("=")
        folder = resources.files("isoplane.conf").joinpath(group or "?")
        if folder.is_dir() and choice not in _choices(folder):
            return f"{word}: expected {', '.join(_choices(folder))}"
    return f"{' '.join(overrides)!r}: expected overrides key=value"


def _list_for_a_group(key: str) -> str:
    """Return the error for a list in place of a group of keys, which Hydra would merge."""
    return (
        f"{key}=[...]: has keys of its own, which Hydra cannot merge with a list; expected values of these keys or, "
        f"where a list is allowed, '~{key}' '+{key}=[...]'"
    )


def _one_choice(word: str, key: str, folder: Path) -> str:
    """Return an override of a group with the first of the choices that it sweeps which lacks a key, if it is of it."""
    parsed = OverridesParser.create().parse_override(word)
    if not parsed.is_sweep_override():
        return word
    group, names = parsed.key_or_group, list(parsed.sweep_string_iterator())
    known, (first, _, inner) = shown_choices(group, folder), key.partition(".")
    asked = [name for name in names if first == group and name in known]
    lacking = [name for name in asked if inner.partition(".")[0] not in shown_keys(group, name, folder)]
    return f"{group}={[*lacking, *names][0]}"


def _unknown(verb: str, overrides: Sequence[str], key: str) -> str:
    """Return the error for an unknown key, with the keys of its group, and the group or choice that has such a key."""
    # Hydra refuses a second configuration while that of the failed command is there.
    GlobalHydra.instance().clear()
    # Words of a group that the verb lacks, and of the key itself, would fail again.
    groups = {*groups_of(verb)} - {key}
    folder = choices_folder(overrides)
    swept = {word: _one_choice(word, key, folder) for word in overrides if word.partition("=")[0] in groups}
    of_groups = list(swept.values())
    lacking = "".join(
        f" with {one}" for word, one in swept.items() if one != word and key.startswith(one.partition("=")[0] + ".")
    )
    searched = [word for word in overrides if word.startswith("hydra.searchpath=")]
    chosen = [*(searched or [f"hydra.searchpath=['file://{folder}']"]), *of_groups]
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        try:
            section = compose(verb, chosen, return_hydra_config=key.startswith("hydra."))
        except MissingConfigException as error:
            return _missing(overrides, error)
    for name in key.split(".")[:-1]:
        inner = section.get(name)
        if not isinstance(inner, DictConfig):
            break
        section = inner
    allowed = sorted(name for name in map(str, section) if not name.startswith("_"))
    resolved = [name for name in allowed if not OmegaConf.is_interpolation(section, name)]
    names = (f"{name}.{key}" for name in resolved if OmegaConf.is_dict(section.get(name)) and key in section[name])
    meant = next((f"; did you mean {name}?" for name in names), "")
    group, _, inner = key.replace(option_name(LAUNCHER, ""), f"{LAUNCHER}.").partition(".")
    choices = choices_of(group) if inner and group in (*groups, LAUNCHER) else ()
    others = ", ".join(f"{group}={name}" for name in choices if inner in keys_of(group, name))
    if "." not in key:
        allowed = sorted([*allowed, *options_of(COMMON)])
    # What every choice of a group has, its name, is no key to give in place of one of another choice.
    expected = "" if others and {*allowed} <= {"name"} else f"; expected {', '.join(allowed) or 'no keys'}"
    known = f"; known with {others}" if others else "" if meant else _of_other_verbs(verb, key)
    record = next((word for word in overrides if word.startswith("record=") and word != "record=null"), None)
    if group == "network" and record is not None and "record" in options_of(verb):
        return f"{key}: has no effect here; expected {IN_PLACE.format(record=record)}{known}"
    if verb == "compare" and key in ("policy", "network.policy"):
        return f"{key}: unknown; sizes are for nearest; expected {SPRAY} for their numbers under spray"
    return f"{key}: unknown{lacking}{expected}{meant}{known}"


def _of_other_verbs(verb: str, key: str) -> str:
    """Return which other verbs have an option, with its file if they need no key for it; nothing if none has it."""
    group, _, inner = key.partition(".")
    with_group = [other for other in VERBS if group in groups_of(other)] if inner else []
    if with_group and not any(inner in keys_of(group, name) for name in choices_of(group)):
        with_group = []
    verbs = [other for other in VERBS if other != verb and (other in with_group or key in options_of(other))]
    names = ", ".join(f"isoplane {other}{' FILE' if POSITIONAL.get(other) == key else ''}" for other in verbs)
    return f"{OF_OTHERS}{names}" if names else ""
