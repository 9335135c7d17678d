"""The options of `isoplane evaluate` that describe a network of a family."""

import shlex
from collections.abc import Mapping
from dataclasses import fields
from functools import singledispatch
from typing import Any

from isoplane.models import Cubes, Family, family_named
from isoplane.models.record_fields import current_names


@singledispatch
def option_words(family: Family) -> str | None:
    """Return the options of `isoplane evaluate` that describe a design; None if none do.

    Examples
    --------
    >>> from isoplane.models.families.multi_plane import MultiPlane
    >>> from isoplane.models.families.slim_fly import SlimFly
    >>> option_words(MultiPlane(plane=SlimFly(q=7)))
    'network=multi_plane network@network.plane=slim_fly network.plane.q=7'
    """
    written = family.write()
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    return shlex.join([f"network={keys['family']}", *_different("network", keys)])


def _different(prefix: str, keys: Mapping[str, Any]) -> list[str]:
    """Return the options for all keys that differ from the defaults of their family."""
    kind = family_named(keys["family"])
    defaults = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    words = []
    for key, value in current_names(kind, keys).items():
        if isinstance(value, Mapping):
            words += [f"network@{prefix}.{key}={value['family']}", *_different(f"{prefix}.{key}", value)]
        elif key in defaults and defaults[key] != (tuple(value) if isinstance(value, list) else value):
            words.append(f"{prefix}.{key}={_text(value)}")
    return words


def _text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


@option_words.register
def _cube_words(cubes: Cubes) -> str | None:
    """Return the options for cubes with one port per node in each plane."""
    if cubes.ports_per_node != 1:
        return None
    words = [f"network={cubes.name}", f"network.n={cubes.n}", f"network.nodes_per_switch={cubes.nodes_per_switch}"]
    if len(cubes.planes) != 2:
        words.append(f"network.planes={len(cubes.planes)}")
    sets = [list(plane.connections.generators) for plane in cubes.planes[1:]]
    identical = all(plane == cubes.planes[0] for plane in cubes.planes)
    generators = "identical" if identical else _text(sets[0] if len(sets) == 1 else sets)
    return shlex.join([*words, *([f"network.generators={generators}"] if len(cubes.planes) > 1 else [])])
