"""Values of a composed config, which notes which were read: as plain data, as groups, as paths."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from isoplane.models import InputError
from isoplane.models.checks import shown

Word = TypeVar("Word", bound=str)

# Options of a search in place of a network: the command line searches every network with them, one after another.
SIZES = ("nodes", "ports", "planes")
IN_PLACE = "a network in place of {record}, which states its own"  # what an option of a network beside a record lacks
SPRAY = "columns=[design,throughput_spray,aspl_spray,delay_spray_ns]"  # of `compare`


class Config(Mapping[str, Any]):
    """A composed config that notes which of its values were read, so that options without effect are found.

    A value is read by its key. A group is such a config itself: looking it up, and handing it on with `plain`, reads
    nothing.

    Parameters
    ----------
    values
        The values by key; those of groups are dictionaries.
    prefix
        The keys of the groups that this one is in, each followed by a dot.
    read
        The full keys read so far, shared with all groups.
    unnoted
        Full keys whose values are handed on without being noted, and those of groups.
    lacking
        What groups need to have an effect, by their names, shared with all groups.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        prefix: str = "",
        read: set[str] | None = None,
        unnoted: Collection[str] = (),
        lacking: dict[str, str] | None = None,
    ) -> None:
        self._values, self._prefix, self._unnoted = values, prefix, unnoted
        self._read = set[str]() if read is None else read
        self._lacking = dict[str, str]() if lacking is None else lacking

    def __getitem__(self, key: str) -> Any:
        value, full = self._values[key], f"{self._prefix}{key}"  # prices have numbers as keys
        if isinstance(value, dict):
            return Config(value, f"{full}.", self._read, self._unnoted, self._lacking)
        if not any(_covers(other, full) for other in self._unnoted):
            self._read.add(full)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __repr__(self) -> str:
        """Return the data, as messages show a value."""
        return repr(self.plain())

    def plain(self) -> dict[str, Any]:
        """Return all values, groups as dictionaries; reads nothing."""
        return dict(self._values)

    def handing_on(self, *keys: str) -> "Config":
        """Return this config for a use that only hands on some values, so that reading them is not noted."""
        return Config(self._values, self._prefix, self._read, (*self._unnoted, *keys), self._lacking)

    def replaced(self, **values: object) -> "Config":
        """Return this config with other values."""
        return Config({**self._values, **values}, self._prefix, self._read, self._unnoted, self._lacking)

    def note_lack(self, name: str, needed: str) -> None:
        """Note what a group, or a full key, needs to have an effect, for the message if it has none."""
        self._lacking[name] = needed

    def require_effects(self, words: Iterable[str]) -> None:
        """Require that the value of every override was read.

        Parameters
        ----------
        words
            The overrides of the command line.

        Raises
        ------
        InputError
            If one was not, and so has no effect.

        Examples
        --------
        >>> config = Config({"seed": 1, "stop": {"seconds": 2, "gap": None}})
        >>> config["seed"], config["stop"]["seconds"]
        (1, 2)
        >>> config.require_effects(["seed=1", "stop.gap=0.1"])
        Traceback (most recent call last):
        isoplane.models.errors.InputError: stop.gap=0.1: has no effect here; expected stop.seconds
        """
        for word in words:
            full = key_of(word)
            name = full.partition(".")[0]
            if name in self._values and not any(_covers(full, read) or _covers(read, full) for read in self._read):
                lacking = self._lacking.get(full) or self._lacking.get(name)
                expected = lacking or ", ".join(self._effective(full))
                raise InputError(f"{word}: has no effect here; expected {expected}")

    def _effective(self, full: str) -> list[str]:
        """Return the keys that were read in the innermost group around a key in which there are any."""
        while full:
            full = full.rpartition(".")[0]
            prefix = f"{full}." if full else ""
            below = {read[len(prefix) :].partition(".")[0] for read in self._read if read.startswith(prefix)}
            if below:
                return sorted(prefix + key for key in below)
        return ["no other options"]


def _covers(group: str, key: str) -> bool:
    """Whether a full key is another one, or in the group of that name."""
    return key == group or key.startswith(f"{group}.")


def key_of(word: str) -> str:
    """Return the full key that an override sets.

    Examples
    --------
    >>> key_of("+stop.seconds=3"), key_of("network@network.plane=torus"), key_of("~workload")
    ('stop.seconds', 'network.plane', 'workload')
    """
    name, _, package = word.lstrip("+~").partition("=")[0].partition("@")
    return package or name


def plain(config: Mapping[str, Any] | DictConfig) -> dict[str, Any]:
    """Return a config as plain Python data, with interpolations resolved; reads nothing."""
    if isinstance(config, DictConfig):
        data = OmegaConf.to_container(config, resolve=True)
        return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}
    return config.plain() if isinstance(config, Config) else dict(config)


def values_of(group: Mapping[str, Any], without: Collection[str] = ()) -> dict[str, Any]:
    """Read the values of a group, except those of some keys.

    Examples
    --------
    >>> values_of({"a": 1, "b": {"c": 2}}, ["a"])
    {'b': {'c': 2}}
    """
    values = {key: group[key] for key in group if key not in without}
    return {key: values_of(value) if isinstance(value, Mapping) else value for key, value in values.items()}


def choice_of(name: str, value: object, choices: Collection[Word]) -> Word:
    """Return a value of the command line that is one of some words."""
    for choice in choices:
        if choice == value:
            return choice
    raise InputError(f"{name}={shown(value)}: expected {', '.join(choices)}")


def group(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a group of a config as a mapping."""
    value = config.get(name)
    if not isinstance(value, Mapping):
        raise InputError(f"{name}={shown(value)}: expected one of the choices of the group")
    return value


def path_of(name: str, value: object) -> Path:
    """Return the path given as a value of the command line; a bare number is also a path."""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise InputError(f"{name}={'null' if value is None else value}: expected the path of a file or folder")
    return Path(str(value))


def paths_of(name: str, value: object) -> list[Path]:
    """Return the files given as a list, one for each plane, or as a single value."""
    values = value if isinstance(value, list) else [value]
    if not values or None in values:
        raise InputError(f"{name}={shown(value)}: expected a file, or a list with one for each plane")
    return distinct_paths(name, values)


def distinct_paths(name: str, values: Sequence[object]) -> list[Path]:
    """Return the paths given as values of the command line; one file is an `InputError` if it is given twice."""
    paths = [path_of(name, each) for each in values]
    resolved = [path.resolve() for path in paths]
    for number, path in enumerate(paths):
        if resolved[number] in resolved[:number]:
            raise InputError(f"{name}={path}: given twice; expected each file once")
    return paths


def given_words() -> list[str]:
    """Return the overrides of the command line, none if the verb was called from Python."""
    return list(HydraConfig.get().overrides.task) if HydraConfig.initialized() else []


def given_command() -> list[str]:
    """Return the overrides of the command line, preceded by its config folders."""
    return [*config_folders(), *HydraConfig.get().overrides.task]


def config_folders() -> list[str]:
    """Return the words that give the config folders of the command line, none if the verb was called from Python."""
    return words_of_folders(HydraConfig.get()) if HydraConfig.initialized() else []


def words_of_folders(hydra: Any) -> list[str]:
    """Return the words that gave a command its config folders.

    Parameters
    ----------
    hydra
        Hydra's own part of its config, as composed or as saved.
    """
    folders = [source["path"] for source in hydra["runtime"]["config_sources"] if source["provider"] == "command-line"]
    searched = [word for word in hydra["overrides"]["hydra"] if key_of(word) == "hydra.searchpath"]
    return [word for folder in folders for word in ("--config-dir", folder)] + searched
