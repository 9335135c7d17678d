"""The keys of a verb: those of its files in `conf`. Hydra alone would accept any other as `+key=value`."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from isoplane.models import InputError
from isoplane.models.record_fields import RENAMED
from isoplane.runs.config.installed_choices import installed_choices
from isoplane.runs.inputs.named_families import TARGET, user_network_yaml

from ..inputs.yaml_files import packaged_yaml
from .option_files import COMMON, choices_of, groups_of, options_of, own_keys

# Groups whose choices (for networks, those of one family) have the same keys; others are checked on construction.
UNIFORM = ("network", "objective", "stop", "fleet", "msccl")


def check_keys(verb: str, config: Mapping[str, Any], is_typed: bool = False) -> None:
    """Require that a composed config has all keys of a verb and no others; a message lists what may be typed, too."""
    plain, groups = _keys(verb)
    _require_keys("", config, plain | groups, options_of(COMMON) if is_typed else ())
    for key in sorted(plain - set(config)):
        raise InputError(f"{key}: missing; give it a value")
    for name in sorted(groups.intersection(UNIFORM)):
        if isinstance(config.get(name), Mapping):
            _require_keys(f"{name}.", config[name], _group_keys(name, config[name].get("family")))
    if isinstance(config.get("network"), Mapping):
        _check_target(config["network"])
        for key, inner in config["network"].items():
            if isinstance(inner, Mapping) and "family" in inner:  # a network that is part of another one
                _require_keys(f"network.{key}.", inner, _group_keys("network", inner["family"]))


def verb_keys(verb: str) -> set[str]:
    """Return the keys of a verb and the names of its groups."""
    plain, groups = _keys(verb)
    return plain | groups


def option_defaults(verb: str) -> dict[str, Any]:
    """Return the options of a verb with their defaults, those of groups the names of their choices, groups first.

    Examples
    --------
    >>> list(option_defaults("verify").items())[:2], option_defaults("verify")["placement"]
    ([('network', 'hypercube'), ('layout', 'paper')], 'in_order')
    """
    data = packaged_yaml(resources.files("isoplane.conf") / f"{verb}.yaml")
    groups: dict[str, Any] = {}
    for entry in data.get("defaults", ()):
        groups |= entry if isinstance(entry, dict) else option_defaults(entry) if entry != "_self_" else {}
    return groups | {key: value for key, value in data.items() if key not in ("defaults", "hydra", *groups)}


def group_choices(verb: str) -> dict[str, list[str]]:
    """Return the choices of the groups of a verb, in alphabetical order.

    Examples
    --------
    >>> group_choices("compare")["layout"]
    ['floor', 'none', 'paper']
    """
    choices = {name: list(choices_of(name)) for name in sorted(_keys(verb)[1] - {"experiment"})}
    if "experiment" in _keys(verb)[1]:
        for paper, _, figure in (name.partition("/") for name in choices_of("experiment")):
            choices.setdefault(f"experiment/{paper}", []).append(figure)
    return choices


def _require_keys(prefix: str, given: Mapping[str, Any], allowed: set[str], typed: Iterable[str] = ()) -> None:
    for key in given:
        if key not in allowed and RENAMED.get(key) not in allowed:
            if key in typed:
                raise InputError(f"+{key}={given[key]}: expected {key}={given[key]}, without +")
            shown = sorted(name for name in (*allowed, *typed) if not name.startswith("_"))
            raise InputError(f"{prefix}{key}: unknown; expected {', '.join(shown)}")


@cache
def _keys(verb: str) -> tuple[set[str], set[str]]:
    """Return the plain keys and the groups of a verb."""
    groups = set(groups_of(verb))
    return {key.partition(".")[0] for key in options_of(verb)} - groups - set(options_of(COMMON)), groups


def _group_keys(name: str, family: object) -> set[str]:
    """Return the keys of a group's choices; for networks, those of the family, built in or user-defined.

    A user's YAML has the keys of the choices in its defaults list as well.
    """
    choices = choices_of(name)
    built_in = [choice for choice in choices if choice == family]  # a user may give a list, which is not hashable
    if name == "network" and isinstance(family, str) and family in (installed := installed_choices(name)):
        return set(installed[family])
    user_yaml = None if built_in or name != "network" else user_network_yaml(family)
    if user_yaml is None:
        return set().union(*(own_keys(name, choice) for choice in built_in or choices))
    parents = [entry for entry in user_yaml.get("defaults", ()) if isinstance(entry, str) and entry != "_self_"]
    inherited = (_group_keys(name, parent.partition("@")[0].rpartition("/")[2]) for parent in parents)
    return (set(user_yaml) - {"defaults"}).union(*inherited)


def _check_target(network: Mapping[str, Any]) -> None:
    """Require that only the YAML of a user-defined family names its class."""
    if TARGET not in network:
        return
    user_yaml = user_network_yaml(network.get("family")) or {}
    if network[TARGET] != user_yaml.get(TARGET):
        raise InputError(
            f"network.{TARGET}={network[TARGET]}: expected the value in network/{network.get('family')}.yaml in "
            "the search path"
        )
