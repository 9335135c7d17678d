"""What the files in `conf` say of options: the one source of help, completion and the page of all options.

A line of such a file is an option: ``key: default # meaning {choices; unit}``, as `conf/README.md` says. Only lines are
read, so that help and completion import no library.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path

CONF = Path(__file__).parents[2] / "conf"
LAUNCHER = "hydra/launcher"  # the group of Hydra that has choices here
SWEEPS = {LAUNCHER: ("basic", "where the jobs of --multirun run")}
OF_HYDRA = {
    f"{LAUNCHER}/basic.yaml": ["# one job after the other, in this process."]
}  # its choice, which has no file here
COMMON = "common"  # the file of options that every verb has, which are read before its config is composed
Option = Mapping[str, str]  # default, meaning, choices and unit

ENTRY = re.compile(r"^( *)([\w.]+):(?: +(.*?))?(?: *(?<![^ ])# (.*))?$")
GROUP = re.compile(r"^  - (\w+): (\w+)(?: # (.*))?$")
PARENT = re.compile(r"^  - (?:/\w+/)?(\w+)(?:@\w+)?$")
INLINE = re.compile(r"^defaults: *\[(.*)\]")  # as users also write the same
PART = re.compile(r"^  - /(\w+)@(\w+): (\w+)$")
CHOICES = re.compile(r" *\{([^{}]*)\}$")
GLOBAL = "# @package _global_"  # heads a choice that sets options outside of its group
IDENTITY = ("family", "kind", "pattern", "name", "rule", "_target_")  # keys that say which file of a group it is
APART = ("hydra", "programs")  # folders of `conf` that are no groups
UNITS = {
    "usd_per_node": "US$ per node",
    "ns_per_m": "ns/m",
    "m": "m",
    "ns": "ns",
    "us": "µs",
    "bytes": "bytes",
    "bits": "bits",
    "flits": "flits",
    "gbps": "Gbit/s",
    "gflops": "10^9 operations/s",
    "usd": "US$",
    "w": "W",
    "mw": "mW",
    "nj": "nJ",
    "mm2": "mm^2",
    "seconds": "s",
}
COUNTED = ("bytes", "bits", "flits")
BOOLEAN, INTEGER, NUMBER, LIST = "true, false", "INTEGER", "NUMBER", "LIST"


def head_of(verb: str) -> tuple[list[str], list[str]]:
    """Return what a verb does beyond its line in the usage, and its examples."""
    lines = [line[1:] for line in _lines(f"{verb}.yaml") if line.startswith("#")]
    return [line.strip() for line in lines if not line.startswith("  ")], [
        line.strip() for line in lines if line.startswith("  ")
    ]


def writes_folder(verb: str) -> bool:
    """Whether a run of the verb has a folder."""
    return not any("run: {dir: .}" in line for line in _lines(f"{verb}.yaml"))


def options_of(verb: str) -> dict[str, Option]:
    """Return the options of a verb outside of its groups, by key; those that every verb has come last.

    Examples
    --------
    >>> options_of("compare")["cable_m"]["unit"], options_of("compare")["seed"]["default"]
    ('m', '1')
    """
    entries = {**_entries(f"{verb}.yaml"), **_entries(f"{COMMON}.yaml")}
    return {key: option_of(key, *given) for key, given in entries.items()}


def groups_of(verb: str) -> dict[str, tuple[str, str]]:
    """Return the groups of a verb with their default choices and what they are, in the order of its file."""
    groups = dict[str, tuple[str, str]]()
    for line in _lines(f"{verb}.yaml"):
        if (parent := PARENT.match(line)) is not None and parent.group(1) != "_self_":
            groups |= groups_of(parent.group(1))
        elif (group := GROUP.match(line)) is not None:
            groups[group.group(1)] = group.group(2), group.group(3) or _shared_groups().get(group.group(1), "")
    return groups


def option_name(group: str, key: str) -> str:
    """Return how a key of a group is called on command lines.

    Examples
    --------
    >>> option_name("network", "n"), option_name("hydra/launcher", "mem_gb")
    ('network.n', 'hydra.launcher.mem_gb')
    """
    return f"{group.replace('/', '.')}.{key}"


@cache
def choices_of(group: str) -> dict[str, str]:
    """Return the choices of a group, each with what it is.

    Examples
    --------
    >>> choices_of("fleet")["local"]
    'threads of this machine'
    """
    files = [*(CONF / group).rglob("*.yaml"), *(CONF / name for name in OF_HYDRA if name.startswith(f"{group}/"))]
    names = [file.relative_to(CONF / group).with_suffix("").as_posix() for file in files]
    return {name: _title(f"{group}/{name}.yaml") for name in sorted(names, key=_numbers_apart)}


def _numbers_apart(name: str) -> list[str | int]:
    """Return the sort key of a name by its numbers: fig3 is before fig11."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


@cache
def keys_of(group: str, choice: str, folder: Path = CONF) -> dict[str, Option]:
    """Return the options of a choice of a group, by key; none of a choice that sets options of the verb itself.

    Files of choices are in a folder, such as one of the user, or in `conf`.
    """
    if GLOBAL in _lines(_file(group, choice, folder)):
        return {}
    entries = _inherited(group, choice, folder)
    return {key: option_of(key, *given) for key, given in entries.items() if key not in IDENTITY}


def own_keys(group: str, choice: str) -> set[str]:
    """Return the keys in the file of a choice, those that say which one it is included."""
    file = f"{group}/{choice}.yaml"
    parts = {part.group(2) for line in _lines(file) if (part := PART.match(line)) is not None}
    return {key.partition(".")[0] for key in _entries(file)} | parts


def group_names() -> list[str]:
    """Return the names of all groups but `LAUNCHER`."""
    return sorted(entry.name for entry in CONF.iterdir() if entry.is_dir() and not entry.name.startswith(("_", *APART)))


def _file(group: str, choice: str, folder: Path) -> str:
    """Return the file of a choice, relative to `conf`, which Hydra also prefers, or absolute."""
    name = f"{group}/{choice}.yaml"
    return name if name in OF_HYDRA or (CONF / name).is_file() else str(folder / name)


def _inherited(group: str, choice: str, folder: Path) -> dict[str, tuple[str, str]]:
    """Return default and meaning of the keys of a choice, those of the choices that it is based on included.

    A line without a meaning has that of another choice, unless it is of a user's class, where names mean other things.
    """
    file, entries = _file(group, choice, folder), dict[str, tuple[str, str]]()
    for line in _lines(file):
        if (part := PART.match(line)) is not None:
            entries[part.group(2)] = part.group(3), _part_meaning(file)
        for parent in _parents(line):
            is_of_plugin = group == LAUNCHER and parent not in choices_of(group)
            if parent not in ("_self_", choice) and not is_of_plugin:
                entries |= _inherited(group, parent, folder)
    for key, (default, meaning) in _entries(file).items():
        entries[key] = default, meaning or entries.get(key, ("", ""))[1]
    if not _entries(file).get("_target_", ("isoplane.", ""))[0].startswith("isoplane."):
        return entries
    for other in choices_of(group):
        missing = [key for key, (_, meaning) in entries.items() if not meaning]
        if missing and other != choice:
            meanings = {key: meaning for key, (_, meaning) in _entries(f"{group}/{other}.yaml").items()}
            entries |= {key: (entries[key][0], meanings[key]) for key in missing if meanings.get(key)}
    return entries


def _parents(line: str) -> list[str]:
    """Return the choices that a line of a file says it is based on."""
    inline, parent = INLINE.match(line), PARENT.match(line)
    if inline is not None:
        return [name.strip() for name in inline.group(1).split(",")]
    return [] if parent is None else [parent.group(1)]


def _part_meaning(file: str) -> str:
    """Return the line that heads a network with another one as a part."""
    return _lines(file)[0].removeprefix("# ") + " {a choice of network}"


@cache
def _lines(name: str) -> list[str]:
    return OF_HYDRA.get(name) or (CONF / name).read_text(encoding="utf-8").splitlines()


@cache
def _shared_groups() -> dict[str, str]:
    """Return what groups are where the file of a verb does not say it."""
    matches = [GROUP.match(line) for file in sorted(CONF.glob("*.yaml")) for line in _lines(file.name)]
    return {match.group(1): match.group(3) for match in matches if match is not None and match.group(3)}


@cache
def _entries(name: str) -> dict[str, tuple[str, str]]:
    """Return default and meaning of the keys of a file; keys of nested ones are joined by dots."""
    return dict(_scan(name))


def _scan(name: str) -> Iterator[tuple[str, tuple[str, str]]]:
    prefix, skipped = "", False
    lines = list(_joined(_lines(name)))
    for number, line in enumerate(lines):
        match = ENTRY.match(line)
        if match is None:
            continue
        indent, key, value, meaning = match.groups(default="")
        if not indent:
            prefix, skipped = "", key in ("defaults", "hydra")
        if skipped or len(indent) > 2:
            continue
        items = list(takewhile(lambda each: each.startswith("  - "), lines[number + 1 :]))
        if not value and not indent:
            prefix = f"{key}."
            if not meaning and not items:
                continue  # a group of keys
        listed = f"[{', '.join(item[4:].partition(' # ')[0].strip() for item in items)}]" if items else "list"
        yield f"{prefix if indent else ''}{key}", (value or listed, meaning)


def _joined(lines: list[str]) -> Iterator[str]:
    """Yield lines, those of a value in brackets that continue on the next line joined."""
    begun = ""
    for line in lines:
        begun += line if not begun else f" {line.strip()}"
        value = begun.partition(" # ")[0]
        if begun.startswith("#") or (value.count("{") == value.count("}") and value.count("[") == value.count("]")):
            yield begun
            begun = ""


def _title(name: str) -> str:
    """Return what a choice is: the comment of its first key that says which one it is, or that at its head."""
    entries = _entries(name)
    for key in IDENTITY:
        if entries.get(key, ("", ""))[1]:
            return entries[key][1]
    heads = [line[2:] for line in _lines(name) if line.startswith("# ") and not line.startswith("# @")]
    return heads[0].partition(". ")[0].rstrip(".") if heads else ""


def option_of(key: str, default: str, comment: str) -> Option:
    """Return an option from its line in a file: its key, its default, and the comment.

    Examples
    --------
    >>> option_of("hop_ns", "5", "of a hop")
    {'default': '5', 'meaning': 'of a hop', 'choices': 'NUMBER', 'unit': 'ns'}
    """
    given = CHOICES.search(comment)
    choices, _, unit = given.group(1).partition("; ") if given is not None else ("", "", "")
    name = key.rpartition(".")[2]
    by_name = next((UNITS[end] for end in UNITS if name == end or name.endswith(f"_{end}")), "none")
    kind = choices or _kind(default, measured=by_name not in ("none", *COUNTED))
    return {"default": default, "meaning": CHOICES.sub("", comment), "choices": kind, "unit": unit or by_name}


def _kind(default: str, *, measured: bool) -> str:
    """Return the values that an option can have, from its default; those that are measured need not be integers."""
    if default in ("true", "false"):
        return BOOLEAN
    if re.fullmatch(r"-?\d+", default):
        return NUMBER if measured else INTEGER
    if re.fullmatch(r"-?\d+\.\d*", default):
        return NUMBER
    return LIST if default.startswith(("[", "{", "list")) else ""
