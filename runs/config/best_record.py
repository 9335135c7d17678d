"""`record=best`: of the records that the package ships that of a network and an objective."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isoplane.models import InputError

BEST = "best"
SHIPPED = Path(__file__).parents[1] / "best"
OBJECTIVES = ("aspl_and_traffic", "aspl")  # without one the first that a family has: the default of its searches
NAME = re.compile(r"\w+")


def best_record(options: Mapping[str, object]) -> tuple[Path, list[str]]:
    """Return the record of the best known design, and the keys of the options that choose it.

    Parameters
    ----------
    options
        Values by full key: ``network``, its keys, of relabelled planes also ``network.plane`` and its keys, for whose
        dimension ``network.n`` may stand; and ``objective``, the name under which `isoplane best` lists the design.
        Without these it is that of two 8-cubes. Others choose nothing.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> planes = {"network": "relabelled", "network.plane": "folded_hypercube", "network.n": 6, "network.planes": 2}
    >>> path, keys = best_record({**planes, "seed": 1})
    >>> path.name.rpartition("-")[0], keys
    ('relabelled-256-aspl', ['network', 'network.plane', 'network.n', 'network.planes'])
    """
    names = [path.stem.split("-") for path in SHIPPED.glob("*.json")]
    family = str(options.get("network", "hypercube"))
    said = _chosen(f"record={BEST}", "network", family, {family for family, *_ in names})
    objectives = {name[2] for name in names if name[0] == family} - {"front"}  # fronts have many designs
    keys = [key for key in ("network", "objective") if key in options]
    if "objective" in keys and NAME.fullmatch(str(options["objective"])):  # not what evaluate computes besides
        objective = str(options["objective"])
        said = _chosen(said, "objective", objective, objectives)
    else:
        keys = keys[:1] if "network" in keys else []
        objective = next(name for name in OBJECTIVES if name in objectives)
    found = {path: _described(path) for path in sorted(SHIPPED.glob(f"{family}-*-{objective}-*.json"))}
    inner = "network.plane" if any("network.plane" in keys for keys in found.values()) else "network"
    wanted = {f"{inner}.n": "8"} | ({} if inner == "network" else {inner: "hypercube"})
    known = set().union(*found.values())
    for key, value in options.items():
        own = f"{inner}.n" if key == "network.n" else key
        if own in known and own != "network":
            wanted[own] = str(value).lower()
            keys.append(key)
    for key, value in wanted.items():
        said = _chosen(said, key, value, {has[key] for has in found.values()})
        found = {path: has for path, has in found.items() if has[key] == value}
    (path,) = found
    return path, [key for key in options if key in keys]


def _chosen(said: str, key: str, value: str, known: set[str]) -> str:
    """Return the options so far with another one, whose value there must be."""
    said = f"{said}, {key}={value}"
    if value not in known:
        expected = ", ".join(sorted(known, key=lambda each: (len(each), each) if each.isdigit() else (0, each)))
        raise InputError(f"{said}: no such record; expected {key}={expected}")
    return said


def _described(path: Path) -> dict[str, str]:
    """Return the options that a record's network has, by full key."""
    described: dict[str, str] = {}

    def add(key: str, network: Mapping[str, Any]) -> None:
        described[key] = network["family"]
        for name, value in network.items():
            if isinstance(value, dict):
                add(f"{key}.{name}", value)
            elif name == "planes" or not isinstance(value, list):
                described[f"{key}.{name}"] = str(len(value) if isinstance(value, list) else value).lower()

    add("network", json.loads(path.read_text(encoding="utf-8"))["network"])
    return described
