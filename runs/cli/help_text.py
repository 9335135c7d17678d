"""What `isoplane VERB --help` prints, from the files in `conf`; it imports neither Hydra nor numpy."""

from pathlib import Path
from textwrap import shorten, wrap

from isoplane.runs.config.installed_choices import installed_metrics, shown_choices, shown_keys, shown_option
from isoplane.runs.config.option_files import (
    CONF,
    LAUNCHER,
    SWEEPS,
    Option,
    groups_of,
    head_of,
    option_name,
    options_of,
    writes_folder,
)
from isoplane.runs.terminal.nearest import did_you_mean

from .usage import VERBS

WIDTH = 80
LONGEST_DEFAULT = 600  # in characters: those of lists of prices
INDENT = 22  # columns before what an option means
FLAGS = {
    "--multirun": "a sweep: every combination of values that are separated by commas",
    "--cfg job": "print the options, of a sweep the list of its jobs; only a run checks values",
    "--config-dir FOLDER": "folder with files of groups of your own",
}
JOBS = {f"{LAUNCHER}=NAME": f"where the jobs of a sweep run; --help {LAUNCHER} shows the choices"}
FOLDER = {"hydra.run.dir=FOLDER": "folder of the run; of a sweep: hydra.sweep.dir"}


def help_text(verb: str, words: list[str], folder: Path = CONF) -> str:
    """Return the help of a verb, or what some of its options or groups are.

    Parameters
    ----------
    verb
        The verb.
    words
        Keys, groups, or groups with a choice, such as ``network=torus``; none for the help of the verb.
    folder
        Folder of the user's own choices.

    Raises
    ------
    ValueError
        If the verb has no such option.
    """
    if words:
        return "\n\n".join(_about(verb, word, folder) for word in words)
    what, examples = head_of(verb)
    own, groups = options_of(verb), groups_of(verb)
    parts = [f"isoplane {verb} [key=value ...]: {VERBS[verb]}.", *what]
    text = ["\n".join(line for part in parts for line in wrap(part, WIDTH))]
    text.append("\n".join(["Examples:", *(f"  {example}" for example in examples)]))
    text.append(_section("Options:", [_entry(key, option) for key, option in own.items()]))
    if groups:
        head = f"Groups of options, as group=choice; isoplane {verb} --help GROUP shows the options of one:"
        rows = [_row(f"{name}={choice}", what, _choices(name, folder)) for name, (choice, what) in groups.items()]
        text.append(_section(head, rows))
    flags = FLAGS | JOBS | (FOLDER if writes_folder(verb) else {})
    text.append(_section("Flags of Hydra:", [_row(*flag) for flag in flags.items()]))
    return "\n\n".join(text)


def _about(verb: str, word: str, folder: Path) -> str:
    """Return what an option, a group or a choice is."""
    key, _, choice = word.lstrip("+~").partition("=")
    key = key.partition("@")[0].replace(option_name(LAUNCHER, ""), f"{LAUNCHER}.")
    group, _, inner = key.partition(".")
    own, groups = options_of(verb), all_groups_of(verb)
    if key in own:
        return _entry(key, shown_option(key, own[key]))
    if group not in groups and "network" in groups and word in shown_choices("network", folder):
        return _about(verb, f"network={word}", folder)  # families are names that users know
    if group not in groups:
        allowed = [*own, *groups]
        meant = _with_group(verb, key, folder) or did_you_mean(key, allowed)
        raise ValueError(f"{key}: unknown; expected {', '.join(allowed)}{meant}")
    choices = shown_choices(group, folder)
    default = groups[group][0] if groups[group][0] in choices else ""
    if not inner:
        return _group(verb, group, choice, default, folder)
    for name in dict.fromkeys([default or next(iter(choices)), *choices]):
        if inner in (keys := shown_keys(group, name, folder)):
            return _entry(option_name(group, inner), keys[inner], f", of {group}={name}")
    allowed = sorted({option_name(group, name) for choice in choices for name in shown_keys(group, choice)})
    raise ValueError(f"{key}: unknown; expected {', '.join(allowed)}{did_you_mean(key, allowed)}")


def all_groups_of(verb: str) -> dict[str, tuple[str, str]]:
    """Return the groups of a verb, and that of launchers."""
    return groups_of(verb) | SWEEPS


def _with_group(verb: str, key: str, folder: Path) -> str:
    """Return the end of a message that names a key with its group, if it is one of a choice; else nothing."""
    groups = {group: shown_choices(group, folder) for group in all_groups_of(verb)}
    defaults = [(group, default) for group, (default, _) in groups_of(verb).items() if default in groups[group]]
    others = [(group, name) for group, names in groups.items() for name in names]
    for group, name in (*defaults, *others):
        if key in shown_keys(group, name, folder):
            return f"; did you mean {option_name(group, key)}?"
    return ""


def _group(verb: str, group: str, choice: str, default: str, folder: Path) -> str:
    """Return what the choices of a group are, and the options of one of them."""
    choices, (usual, what) = shown_choices(group, folder), all_groups_of(verb)[group]
    if choice and choice not in choices:
        allowed = list(choices)
        raise ValueError(f"{group}={choice}: expected {', '.join(allowed)}{did_you_mean(choice, allowed)}")
    shown = choice or ("" if group in SWEEPS else default)
    parts = []
    if not choice:
        parts.append("\n".join(wrap(f"{group}={usual}: {what}", WIDTH)))
        if any(choices.values()):
            parts.append(_section("Choices:", [_row(f"{group}={name}", title) for name, title in choices.items()]))
        else:
            parts.append("\n".join(wrap(f"Choices: {', '.join(choices)}", WIDTH)))
    if group == "objective" and not choice and (metrics := installed_metrics()):
        parts.append("\n".join(wrap(f"Metrics of packages, as min METRIC: {', '.join(metrics)}", WIDTH)))
    for name in [shown] if shown else choices if group in SWEEPS else []:
        if keys := shown_keys(group, name, folder):
            head = f"Options of {group}={name}:" if not choice else f"{group}={name}: {choices[name]}. Options:"
            parts.append(_section(head, [_entry(option_name(group, key), option) for key, option in keys.items()]))
        elif choice:
            parts.append(f"{group}={choice}: {choices[choice] or 'sets options of the verb'}; it has no options")
    if not choice and group not in SWEEPS and any(shown_keys(group, name, folder) for name in choices if name != shown):
        parts.append(f"isoplane {verb} --help {group}=CHOICE shows the options of another one.")
    return "\n\n".join(parts)


def _choices(group: str, folder: Path) -> str:
    """Return the choices of a group, as many as are in one line."""
    choices = list(shown_choices(group, folder))
    return shorten(f"({len(choices)}: {', '.join(choices)})", WIDTH - INDENT, placeholder=" ...)")


def _entry(key: str, option: Option, remark: str = "") -> str:
    """Return an option with its meaning, and below it choices, unit and default."""
    values = option["choices"], f"unit {option['unit']}", f"default {_shortened(option['default'])}{remark}"
    return _row(key, option["meaning"], f"({'; '.join(filter(None, values))})")


def _shortened(default: str) -> str:
    return default if len(default) < LONGEST_DEFAULT else f"{default[: LONGEST_DEFAULT - 4]} ..."


def _row(key: str, *texts: str) -> str:
    lines = [line for text in texts for line in wrap(text, WIDTH - INDENT, break_on_hyphens=False)]
    if len(key) > INDENT - 4:
        return "\n".join([f"  {key}", *(" " * INDENT + line for line in lines)])
    first, *rest = lines or [""]
    return "\n".join([f"  {key:<{INDENT - 2}}{first}".rstrip(), *(" " * INDENT + line for line in rest)])


def _section(head: str, rows: list[str]) -> str:
    return "\n".join([*wrap(head, WIDTH), *rows])
