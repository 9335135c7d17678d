"""From a composed config to a strategy; one named in a saved file is only looked up by name."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import resources
from typing import Any

from hydra.errors import InstantiationException
from hydra.utils import get_object, instantiate
from omegaconf import OmegaConf

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.search import Strategy

from .config_values import group, plain, values_of
from .option_files import choices_of, own_keys

EXPECTED_CLASS = "expected a class such as isoplane.search.Anneal"


def strategy_of(config: Mapping[str, Any]) -> Strategy:
    """Return the strategy that a config describes.

    Parameters
    ----------
    config
        The config of the command line, or a saved one with a built-in strategy: any other `_target_` is imported and
        called.
    """
    options = values_of(group(config, "strategy"))
    target = options.get("_target_")
    if not isinstance(target, str):
        raise InputError(f"strategy._target_={target!r}: {EXPECTED_CLASS}")
    try:
        kind = _class_of(target)
        allowed = [field.name for field in fields(kind)] if is_dataclass(kind) else list(options)
        for key in [key for key in options if key not in ("_target_", *allowed)]:
            if options.pop(key) is not None or key not in _known_options():
                raise InputError(f"strategy.{key}: unknown; expected {', '.join(allowed)}")
        if target in builtin_strategies():  # without Hydra, which would also instantiate nested values
            return _build(kind, {key: value for key, value in options.items() if key != "_target_"})
        strategy: Strategy = instantiate(options)
    except InstantiationException as error:
        raise (error.__cause__ if isinstance(error.__cause__, InputError) else error) from None
    if not callable(getattr(strategy, "rounds", None)):
        raise InputError(f"strategy._target_={target}: {EXPECTED_CLASS}")
    return strategy


def _class_of(target: str) -> Any:
    """Return the class that a `_target_` names."""
    try:
        kind = get_object(target)
    except ValueError:  # for a name such as `a..b`
        raise InputError(f"strategy._target_={target}: {EXPECTED_CLASS}") from None
    if not callable(kind):
        raise InputError(f"strategy._target_={target}: {EXPECTED_CLASS}")
    return kind


def saved_strategy(saved: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the strategy options of a saved config, whose `_target_` is never imported.

    Parameters
    ----------
    saved
        The saved config of a run.
    given
        The config of the command line, which may give the same strategy again.
    """
    options = plain(group(saved, "strategy"))
    if options == given.get("strategy"):
        return options
    target, builtin = options.get("_target_"), builtin_strategies()
    if not isinstance(target, str) or target not in builtin:
        raise InputError(
            f"strategy._target_={shown(target)}: named in a file; expected {', '.join(builtin.values())}, "
            "or strategy=NAME given again for a user-defined one"
        )
    return options


@cache
def _known_options() -> set[str]:
    """Return the keys of all strategies: a class given over the file of another one finds those of that file, null."""
    return set().union(*(own_keys("strategy", choice) for choice in choices_of("strategy")))


@cache
def builtin_strategies() -> dict[str, str]:
    """Return the names of the built-in strategies by class; the first name if a class has several."""
    found: dict[str, str] = {}
    folder = resources.files("isoplane.conf") / "strategy"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            options: Any = OmegaConf.to_container(OmegaConf.create(file.read_text(encoding="utf-8")))
            found.setdefault(options["_target_"], file.name.removesuffix(".yaml"))
    return found


def _build(kind: Any, values: Mapping[str, Any]) -> Strategy:
    try:
        strategy: Strategy = kind(**values)
    except TypeError as error:  # a parameter is missing, or is of a type that cannot be compared
        raise InputError(f"strategy={dict(values)}: {error}; expected the parameters of its file") from error
    return strategy
