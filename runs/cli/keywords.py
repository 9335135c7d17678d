"""From keyword arguments in Python to the config of a verb, which is composed as that of a command line."""

import inspect
from collections.abc import Callable, Mapping, Set
from fractions import Fraction
from functools import wraps
from os import PathLike, fspath
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.models.record_fields import RENAMED
from isoplane.models.workloads.workload import is_workload
from isoplane.objectives.scoring.expressions import is_in_words
from isoplane.objectives.scoring.functions import is_function, name_of
from isoplane.runs.config.allowed_keys import check_keys, group_choices, option_defaults, verb_keys
from isoplane.runs.config.best_record import BEST, best_record
from isoplane.runs.config.config_values import Config, key_of, plain
from isoplane.runs.config.installed_choices import add_installed_choices
from isoplane.runs.inputs.yaml_files import watch_sources
from isoplane.runs.terminal.nearest import with_nearest

from .errors import describe
from .job import composition_errors

Function = TypeVar("Function", bound=Callable[..., Any])

CHOOSING = ("family", "kind", "name")  # keys of a mapping that choose the file of its group
FOLDER = "config_dir"  # as --config-dir
EXPERIMENT = "experiment"  # a group whose choices are in folders
_COMPOSING = Lock()  # Hydra has one state per process


def config_from(verb: str, options: Mapping[str, object]) -> tuple[Config, list[str]]:
    """Return the config of a verb with options as keyword arguments, and these as overrides of a command line.

    Parameters
    ----------
    verb
        The verb.
    options
        Values by key, with dots for keys of groups. The value of a group is the name of its choice, None for none,
        or a mapping from its keys, which can name the choice as ``family``, ``kind`` or ``name``; an objective can be
        a function of metrics, and a workload one made in Python. A key that the verb lacks is one of its network.
        ``config_dir`` is the folder of the user's own choices.

    Examples
    --------
    >>> config, words = config_from("evaluate", {"network": {"family": "torus", "shape": [4, 4]}, "layout": None})
    >>> config["network"]["family"], words
    ('torus', ['network=torus', 'layout=none', 'network.shape=[4, 4]'])
    """
    choices: dict[str, object] = {}
    values: dict[str, object] = {}
    groups = group_choices(verb)
    given = dict(options)
    folder = given.pop(FOLDER, None)
    for key, value in given.items():
        full = full_key(verb, key)
        if full == "objective" and callable(value):
            value = name_of(value)
        is_choice = full in groups and not (is_in_words(value) or is_function(value))
        if full == "objective" and isinstance(value, str) and not is_choice:
            values["objective.name"] = value
        elif full == EXPERIMENT:
            choices[full] = value
        elif full == "workload" and is_workload(value):
            values[full] = value
        elif full in groups and (value is None or not isinstance(value, Mapping)):
            choices[full] = "none" if value is None and "none" in groups[full] else _plain(full, value)
        else:
            _split(full, _plain(full, value), groups, choices, values)
    words = [f"{key}={'null' if value is None else value}" for key, value in choices.items()]
    data = plain(_composed(verb, words, folder))
    values = {_put(data, key, value): value for key, value in values.items()}
    check_keys(verb, data)
    return Config(data), [*words, *(f"{key}={shown_option(value)}" for key, value in values.items())]


def full_key(verb: str, key: str) -> str:
    """Return the key of an option with its group: one that the verb lacks is one of its network.

    Examples
    --------
    >>> full_key("evaluate", "n"), full_key("evaluate", "layout"), full_key("evaluate", "switch.link_gbps")
    ('network.n', 'layout', 'switch.link_gbps')
    """
    is_whole = "." in key or key in (*verb_keys(verb), FOLDER) or "network" not in group_choices(verb)
    return key if is_whole else f"network.{key}"


def without_sizes(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a search; of one without sizes to choose from, planes are those of its network.

    Examples
    --------
    >>> without_sizes({"network": "relabelled", "planes": 3})
    {'network': 'relabelled', 'network.planes': 3}
    """
    has_sizes = any(options.get(key) is not None for key in ("nodes", "ports"))
    is_own = not has_sizes and None not in (options.get("network"), options.get("planes"))
    return {"network.planes" if is_own and key == "planes" else key: value for key, value in options.items()}


def _split(
    key: str, value: object, groups: Mapping[str, list[str]], choices: dict[str, object], values: dict[str, object]
) -> None:
    """Split an option into choices of groups, and values by full key."""
    group, _, inner = key.partition(".")
    is_network = group == "network" and inner and isinstance(value, dict) and "family" in value
    if not isinstance(value, dict) or (key not in groups and not is_network):
        values[key] = value
        return
    rest = dict(value)
    for name in CHOOSING:
        if name in rest and (group == "network" or rest[name] in groups[group]):
            choices[f"network@{key}" if is_network else key] = rest.pop(name)
            break
    for name, part in rest.items():
        _split(f"{key}.{name}", part, groups, choices, values)


def _composed(verb: str, words: list[str], folder: object) -> Any:
    """Return the config for overrides that choose files of groups."""
    from hydra import compose, initialize_config_module
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    watch_sources()
    if folder is not None:
        words = [f"hydra.searchpath=['file://{Path(str(folder)).absolute()}']", *words]
    with _COMPOSING:
        running = GlobalHydra.instance().hydra  # that of a program which is itself a Hydra application
        GlobalHydra.instance().clear()
        try:
            with composition_errors(verb, words), initialize_config_module("isoplane.conf", version_base="1.3"):
                add_installed_choices()
                return compose(verb, words)
        except (HydraException, OmegaConfBaseException) as error:
            raise InputError(describe(verb, words, error)) from None
        finally:
            GlobalHydra.instance().hydra = running


def _put(data: dict[str, Any], key: str, value: object) -> str:
    """Set a value of a config by its full key, which may be an older name; return the key that is set."""
    *groups, name = key.split(".")
    for number, group in enumerate(groups):
        inner = data.get(group)
        if not isinstance(inner, dict):
            shown = ".".join(groups[: number + 1])
            raise InputError(f"{key}={value}: {shown}={shown_option(inner)}; expected a choice of the group {shown}")
        data = inner
    new = RENAMED.get(name, name)
    name = new if new in data and name not in data else name
    data[name] = value
    return ".".join([*groups, name])


def _plain(key: str, value: object) -> object:
    """Return a value of an option as plain data, as a command line gives it."""
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if isinstance(value, PathLike):
        return fspath(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Set) and not isinstance(value, (set, frozenset)):  # a view, such as the edges of networkx
        parts = [_plain(key, part) for part in value]
        if any(isinstance(part, list) and len(part) > 2 for part in parts):  # their third number is no length
            raise InputError(f"{key}={value}: edges of a multigraph with their keys; expected edges(keys=False)")
        return parts
    if isinstance(value, Mapping):
        return {str(name): _plain(f"{key}.{name}", part) for name, part in value.items()}
    if hasattr(value, "tolist"):  # of numpy
        return value.tolist()
    if isinstance(value, (list, tuple, range)):
        return [_plain(key, part) for part in value]
    expected = (
        "its edges, as in edges=GRAPH.edges" if hasattr(value, "edges") else "text, a number, a list or a mapping"
    )
    raise InputError(f"{key}={shown(value)}: {type(value).__name__}; expected {expected}")


def shown_option(value: object) -> str:
    """Return the value of an option as messages show it: as on the command line."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return value.name if is_workload(value) else str(value)


def _with_record(
    verb: str, arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments and options of a function with the option ``record`` as its design, and the file of ``best``."""
    if arguments[:1] in ((), (None,)) and "record" in options:
        options = dict(options)
        arguments = (options.pop("record"), *arguments[1:])
    if arguments and isinstance(arguments[0], str):
        path, options = with_best(verb, arguments[0], options)
        arguments = (path, *arguments[1:])
    return arguments, options


def with_best(verb: str, path: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the file of the best known design for ``best``, unless it is a file, and the options that do not choose.

    Examples
    --------
    >>> path, options = with_best("verify", "best", {"n": 4, "format": "csv"})
    >>> Path(path).name.rpartition("-")[0], options
    ('hypercube-n4-aspl_and_traffic', {'format': 'csv'})
    """
    if path != BEST or Path(path).exists():
        return path, dict(options)
    choices: dict[str, object] = {}
    values: dict[str, object] = {}
    others: dict[str, Any] = {}
    for key, value in options.items():
        full = key if key == "objective" else full_key(verb, key)
        if full == "objective" and isinstance(value, str):
            choices[full] = value
        elif full.partition(".")[0] == "network":
            _split(full, _plain(full, value), group_choices(verb), choices, values)
        else:
            others[key] = value
    given = {key_of(key): value for key, value in (choices | values).items()}
    found, chosen = best_record(given)
    return str(found), {key: value for key, value in (others | given).items() if key not in chosen}


def _unnamed(function: str, argument: object, options: list[inspect.Parameter]) -> str:
    """Return the message for an argument of a function that takes options alone, which have names."""
    example, names = options[0], ", ".join(option.name for option in options)
    call = f"{function}({example.name}={example.default!r})"
    return f"{function}({shown(argument)}): expected options by their names, as in {call}: {names}"


def with_options(verb: str, *without: str) -> Callable[[Function], Function]:
    """Return a decorator that lists the options of a verb in the signature of a function, with their defaults.

    So `help` and the completion of notebooks know them, from the files that also say what the command line accepts.
    Errors of the function name the word that was probably meant, as on the command line.

    Parameters
    ----------
    verb
        The verb.
    without
        Options that the function does not take.
    """

    def decorated(function: Function) -> Function:
        signature = inspect.signature(function)
        *given, options = signature.parameters.values()
        positions = [parameter for parameter in given if parameter.kind is not inspect.Parameter.KEYWORD_ONLY]
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in option_defaults(verb).items()
            if name not in without and name not in signature.parameters
        ]

        @wraps(function)
        def called(*arguments: Any, **keywords: Any) -> Any:
            try:
                if len(arguments) > len(positions):
                    raise InputError(_unnamed(function.__name__, arguments[len(positions)], named))
                if "record" in without:  # the design of the function is in its place
                    arguments, keywords = _with_record(verb, arguments, keywords)
                return function(*arguments, **keywords)
            except InputError as error:
                error.args = (with_nearest(str(error)),)
                raise

        called.__signature__ = signature.replace(parameters=[*given, *named, options])  # type: ignore[attr-defined]
        return cast(Function, called)

    return decorated
