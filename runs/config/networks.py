"""From a composed config to the network that is simulated."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from isoplane.models import ConnectionSet, InputError, Network, family_named
from isoplane.runs.records import network_of, read_record

from .config_values import group, path_of, shown
from .setup import FAMILIES, cube_of, site_of

IDENTICAL = "identical"


def network_of_config(config: Mapping[str, Any]) -> Network:
    """Return the network of the record that is given, or else that of the config.

    Raises
    ------
    InputError
        If the family or a key is unknown, or a value is not allowed.
    """
    if config.get("record") is not None:
        return network_of(read_record(path_of("record", config["record"])))
    network = dict(group(config, "network"))
    name = network.pop("family", None)
    if name in FAMILIES:
        return _cubes(config, network.get("generators"))
    family = family_named(name)
    allowed = [field.name for field in fields(family)]  # type: ignore[arg-type]  # families are dataclasses
    for key in network:
        if key not in allowed:
            raise InputError(f"network.{key}: unknown; allowed are {', '.join(allowed)}")
    return Network(family.read(network), site_of(config))


def _cubes(config: Mapping[str, Any], generators: object) -> Network:
    if generators == IDENTICAL:
        return cube_of(config, lambda n: ConnectionSet.unit(n).generators)
    if not isinstance(generators, list):
        raise InputError(
            f"network.generators={shown(generators)}: allowed is a list such as [3,5,7], {IDENTICAL}, or record=FILE"
        )
    return cube_of(config, lambda n: generators)
