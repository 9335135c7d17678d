"""Words as people type them, turned into overrides: files without a key, units, powers of ten, `record=best`."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from isoplane.models.record_fields import RENAMED
from isoplane.objectives.scoring.expressions import is_in_words
from isoplane.objectives.scoring.functions import is_function
from isoplane.runs.config.best_record import BEST, best_record
from isoplane.runs.config.config_values import SIZES, key_of
from isoplane.runs.config.installed_choices import shown_choices, shown_keys
from isoplane.runs.config.option_files import (
    LAUNCHER,
    Option,
    choices_of,
    groups_of,
    keys_of,
    option_name,
    option_of,
    options_of,
)
from isoplane.runs.folder.folder_lock import kind_of_folder

# The key of words that have none, for verbs with an obvious one.
POSITIONAL = {
    "check-cables": "found",
    "compare": "existing",
    "evaluate": "record",
    "export": "record",
    "import": "file",
    "report": "record",
    "reproduce": "experiment",
    "serve": "folder",
    "simulate": "record",
    "verify": "record",
}
REPORTED = {"search": "run", "simulation": "run", "sweep": "sweep"}  # keys of kinds of folders with a page
MANY = ("existing", "file", "found")  # keys of several files
PROGRAM_SUFFIX = ".ndl"
DESIGNS = {
    ".json": "design",
    PROGRAM_SUFFIX: "program",
}  # keys of the design of `check-cables`
# Keys that other verbs have, by verb.
OF_OTHER_VERBS = {"best": {"network.n": "n", "network": "family"}, "check-cables": {"record": "design"}}
# For each unit of options those that are accepted too, each with how many of the unit it is.
SCALES: Mapping[str, Mapping[str, str]] = {
    "m": {"m": "1", "km": "1000", "cm": "0.01", "mm": "0.001"},
    "ns": {"ns": "1", "us": "1000", "µs": "1000", "ms": "1000000", "s": "1000000000"},
    "µs": {"us": "1", "µs": "1", "ns": "0.001", "ms": "1000", "s": "1000000"},
    "s": {"s": "1", "ms": "0.001", "min": "60", "h": "3600"},
    "bytes": {"B": "1", "kB": "1000", "MB": "1000000", "GB": "1000000000", "KiB": "1024", "MiB": "1048576"},
    "Gbit/s": {"Gbit/s": "1", "Gbps": "1", "Mbit/s": "0.001", "Mbps": "0.001", "Tbit/s": "1000", "Tbps": "1000"},
    "W": {"W": "1", "mW": "0.001", "kW": "1000"},
    "US$": {"USD": "1", "US$": "1", "$": "1"},
    "US$ per node": {"USD": "1", "US$": "1", "$": "1"},
}
NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
MEASURED = re.compile(rf"({NUMBER}) ?([^\d\s,.'\"]+)")
LIMIT = re.compile(rf"(\w+)(\s*[<>]=\s*)({NUMBER} ?[^\d\s,.'\"]+)")
POWER_OF_TEN = re.compile(r"\d+(?:\.\d+)?[eE]\+?\d{1,2}")
THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
ASSIGNED = re.compile(r"[+~]{0,2}[\w./@-]+=.*|~.*", re.DOTALL)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")  # as Hydra needs them for values with spaces
PLAIN = re.compile(r"[\w./+-]+")


def typed_words(verb: str, words: Sequence[str], *, sweep: bool = False) -> list[str]:
    """Return the overrides that the words of a command line stand for.

    Parameters
    ----------
    verb
        The verb.
    words
        Its words without flags.
    sweep
        Whether values separated by commas can be those of a sweep.

    Raises
    ------
    ValueError
        If a word can mean two things, or a file of another key is given as well.

    Examples
    --------
    >>> typed_words("verify", ["best.json"]), typed_words("import", ["a.txt", "b.txt"])
    (['record=best.json'], ['file=[a.txt,b.txt]'])
    >>> typed_words("evaluate", ["torus", "network.shape=[3,3]"])
    ['network=torus', 'network.shape=[3,3]']
    >>> typed_words("check-cables", ["built.json", "found.txt"])
    ['found=found.txt', 'design=built.json']
    >>> typed_words("verify", ["a.json", "b c.json"], sweep=True)
    ["record=a.json,'b c.json'"]
    >>> typed_words("compare", ["cable_m=30m", "nodes=1e3", "budget_usd=2.5e6"])
    ['cable_m=30', 'nodes=1000', 'budget_usd=2.5e6']
    >>> typed_words("search", ["objective=min delay_ns", "subject_to=max_load <= 9, aspl <= 2"])
    ["objective.name='min delay_ns'", "subject_to='max_load <= 9, aspl <= 2'"]
    >>> typed_words("best", ["network.n=6"])  # the key of other verbs
    ['n=6']
    >>> typed_words("evaluate", ["network=torus", "network.cable_m=4"])  # an older name of the key
    ['network=torus', 'network.assumed_cable_m=4']
    """
    _check_spaces(verb, words)
    own = OF_OTHER_VERBS.get(verb, {})
    words = ["=".join([own.get(key, key), *value]) for key, *value in (word.split("=", 1) for word in words)]
    overrides = _with_keys(verb, words, sweep)
    if verb == "evaluate" and not words:
        overrides = ["record=best"]
    if not Path(BEST).exists():
        overrides = _with_best_record(overrides)
    return [_typed(verb, word, sweep) for word in _with_new_keys(overrides)]


def with_open_keys(words: Sequence[str]) -> list[str]:
    """Return the words of a sweep so that Hydra takes any key of the options of its launcher that may have any.

    Examples
    --------
    >>> with_open_keys(["hydra/launcher=slurm", "hydra.launcher.additional_parameters.reservation=mine"])
    ['hydra/launcher=slurm', '++hydra.launcher.additional_parameters.reservation=mine']
    """
    chosen = [name for key, _, name in (word.partition("=") for word in words) if key == LAUNCHER]
    options = keys_of(LAUNCHER, chosen[-1]) if chosen and chosen[-1] in choices_of(LAUNCHER) else {}
    takes_any = [key for key, option in options.items() if option["choices"].startswith("keys of ")]
    starts = tuple(f"{option_name(LAUNCHER, key)}{end}" for key in takes_any for end in ".=")
    return [f"++{word}" if word.startswith(starts) else word for word in words]


def asks_for_sizes(verb: str, words: Sequence[str]) -> bool:
    """Whether the words of a command line give sizes to a search in place of a network.

    Examples
    --------
    >>> asks_for_sizes("search", ["nodes=1000", "ports=36"]), asks_for_sizes("search", ["network.n=8"])
    (True, False)
    """
    return verb == "search" and any(word.partition("=")[0] in SIZES for word in words)


def _check_spaces(verb: str, words: Sequence[str]) -> None:
    """Require that no word is a part of ``key = value``."""
    for word, after in pairwise(words):
        is_apart = after.startswith("=") or (word.endswith("=") and after and not ASSIGNED.fullmatch(after))
        if is_apart and not (word.endswith("=") and verb in POSITIONAL):
            raise ValueError(f"{word} {after}: expected key=value with no spaces around =")


def _with_keys(verb: str, words: list[str], sweep: bool) -> list[str]:
    """Return words that all have keys: files and names without one get that of the verb; several are a sweep."""
    if verb == "check-cables":
        words = _with_design(words)
    bare = [word for word in words if not ASSIGNED.fullmatch(word)]
    key = POSITIONAL.get(verb)
    if key is None or not bare or any(not word for word in bare):
        return words
    if key not in MANY and len(bare) > 1 and not sweep:
        raise ValueError(f"{', '.join(bare)}: expected one of them, or --multirun before them")
    swept = sweep and key not in MANY
    key = _key_of(verb, key, bare[0])
    given = [word for word in words if word.partition("=")[0] == key]
    if given:
        raise ValueError(f"{bare[0]}, {given[0]}: expected one of them")
    values = [_quoted(word) for word in bare]
    others = [word for word in words if word not in bare]
    joined = ",".join(values)
    return [f"{key}={joined}" if swept or len(values) == 1 else f"{key}=[{joined}]", *others]


def _with_design(words: list[str]) -> list[str]:
    """Return words with the key of the file of a design; listings are left as they are."""
    keyed = list(words)
    for number, word in enumerate(words):
        key = DESIGNS.get(Path(word).suffix)
        if key is None or ASSIGNED.fullmatch(word):
            continue
        given = [other for other in keyed if other.partition("=")[0] in DESIGNS.values()]
        if given:
            raise ValueError(f"{word}, {given[0]}: expected one of them")
        keyed[number] = f"{key}={_quoted(word)}"
    return keyed


def _with_new_keys(words: list[str]) -> list[str]:
    """Return words with the keys of networks in place of older names; networks of the user keep their own keys."""
    built_in = choices_of("network")
    chosen = {key_of(word): word.partition("=")[2] for word in words if "=" in word}
    renamed = []
    for word in words:
        group, _, name = key_of(word).rpartition(".")
        if (
            name in RENAMED
            and group.partition(".")[0] == "network"
            and (group not in chosen or chosen[group] in built_in)
        ):
            word = re.sub(rf"(?<=\.){name}(?=$|=)", RENAMED[name], word, count=1)
        renamed.append(word)
    return renamed


def _key_of(verb: str, key: str, word: str) -> str:
    """Return the key of a file or folder, or of a network by its name, which stands for a file if there is one."""
    if key != "record":
        return key
    if word in choices_of("network") and not Path(word).exists():
        return "network"
    if verb == "report" and Path(word).is_dir():
        return REPORTED.get(kind_of_folder(Path(word)) or "", key)
    return "program" if word.endswith(PROGRAM_SUFFIX) else key


def _quoted(value: str) -> str:
    """Return a value as Hydra reads it: in quotes if it has special characters."""
    if PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _with_best_record(words: list[str]) -> list[str]:
    """Return words with the file of the best known design in place of the words that choose it, if there are any."""
    asked = next((word for word in words if word in (f"record={BEST}", f"design={BEST}")), None)
    if asked is None:
        return words
    path, keys = best_record({key_of(word): word.partition("=")[2] for word in words if word != asked})
    others = [word for word in words if word != asked and key_of(word) not in keys]
    return [f"{asked.partition('=')[0]}={_quoted(str(path))}", *others]


def _typed(verb: str, word: str, sweep: bool) -> str:
    """Return an override whose value is a number without unit, as the option expects it."""
    key, equals, value = word.partition("=")
    text = value[1:-1] if QUOTED.fullmatch(value) else value
    if key == "objective" and (is_in_words(text) or is_function(text) or _has_name_alone(verb)):
        return f"objective.name={value if value == 'null' else _quoted(text)}"
    if key == "subject_to" and re.match(r"[^'\"\[{].*[<>=]", text):
        return f"{key}={_quoted(LIMIT.sub(_limit, text))}"
    options = _options(verb, key.lstrip("+")) if equals else []
    if not options:
        return word
    kinds = {kind for option in options for kind in option["choices"].split(", ")}
    if not sweep and kinds & {"INTEGER", "NUMBER"} and THOUSANDS.fullmatch(value):
        both = f"{key}={value.replace(',', '')}", f"--multirun {word} for a sweep of {value.count(',') + 1} runs"
        raise ValueError(f"{word}: expected {both[0]} for one number, or {both[1]}")
    units = {option["unit"] for option in options}
    values = [_number(part, "INTEGER" in kinds, units) for part in value.split(",")]
    return f"{key}={','.join(values)}"


def _has_name_alone(verb: str) -> bool:
    """Whether a verb takes the name of a function as its objective, and no choice of a group."""
    return "objective" not in groups_of(verb) and bool(_options(verb, "objective.name"))


def _limit(limit: re.Match[str]) -> str:
    """Return the limit of a metric without unit, in that of its name."""
    metric, relation, number = limit.groups()
    return f"{metric}{relation}{_number(number, False, {option_of(metric, '', '')['unit']})}"


def _number(text: str, integer: bool, units: set[str]) -> str:
    """Return a number without its unit, an integer in digits; any other value as it is."""
    measured = MEASURED.fullmatch(text)
    if measured is not None:
        scales = [SCALES[unit][measured[2]] for unit in units if measured[2] in SCALES.get(unit, {})]
        if scales:
            text = f"{(Decimal(measured[1]) * Decimal(scales[0])).normalize():f}"
    if integer and POWER_OF_TEN.fullmatch(text) and Decimal(text) == int(Decimal(text)):
        return str(int(Decimal(text)))
    return text


def _options(verb: str, key: str) -> list[Option]:
    """Return what an option of a verb is, for each choice of its group that has it."""
    own = options_of(verb)
    if key in own:
        return [own[key]]
    group, _, inner = key.partition(".")
    if group not in groups_of(verb):
        return []
    return [keys[inner] for choice in shown_choices(group) if inner in (keys := shown_keys(group, choice))]
