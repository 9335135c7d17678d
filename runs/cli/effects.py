"""Options without effect: what is simulated is in a file that has its own network, its own messages, or both."""

from collections.abc import Iterable, Mapping
from typing import Any

from isoplane.models import InputError

from .keys import group_of

OF_CUBES = ("layout", "prices", "switch")
SURROUNDINGS = ("network", *OF_CUBES)
FIXED = {
    "program": (*SURROUNDINGS, "hardware", "traffic", "messages", "workload", "shorten"),
    "record": (*SURROUNDINGS, "workload"),
    "messages": ("traffic", "loads", "saturation", "measurement"),  # they come when they come, and end
}
OF_HYBRIDS = ("workload", "shorten")
OF_MEASUREMENTS = ("loads", "saturation", "measurement", "pairs", "interval_ns", "seed", "workers")
OPTIONS = ("hardware", "traffic", *OF_MEASUREMENTS)


def check_effects(config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Make sure that no override of a command line is about what the file of a program, record or messages fixes.

    Parameters
    ----------
    config
        As it was composed.
    overrides
        The words of the command line.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_effects({"program": None, "record": "best.json"}, ["record=best.json", "network.n=5"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: network.n=5: without effect beside record=best.json; allowed are hardware, \
traffic, loads, saturation, measurement, pairs, interval_ns, seed, workers
    """
    for file, fixed in FIXED.items():
        if config.get(file) is None:
            continue
        for word in overrides:
            if group_of(word)[0] in fixed:
                allowed = ", ".join(option for option in OPTIONS if option not in fixed)
                raise InputError(f"{word}: without effect beside {file}={config[file]}; allowed are {allowed}")


def check_family(config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Make sure that no override is about what the family of the network does not have.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_family({"network": {"family": "hypercube"}}, ["workload=dense"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: workload=dense: without effect on network=hypercube; allowed with network=hybrid
    """
    family = config["network"].get("family") if isinstance(config.get("network"), Mapping) else None
    foreign, home = (OF_CUBES, "cubes") if family == "hybrid" else (OF_HYBRIDS, "network=hybrid")
    for word in overrides:
        if group_of(word)[0] in foreign:
            raise InputError(f"{word}: without effect on network={family}; allowed with {home}")


def check_simulated_family(overrides: Iterable[str], *, hybrid: bool) -> None:
    """Make sure that no override of a simulation is about what the family of the network does not have.

    Raises
    ------
    InputError
        If one would have no effect.

    Examples
    --------
    >>> check_simulated_family(["shorten=10"], hybrid=False)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: shorten=10: without effect on this network; allowed with network=hybrid
    """
    foreign = (*OF_CUBES, *OF_MEASUREMENTS, "hardware", "traffic", "messages") if hybrid else OF_HYBRIDS
    for word in overrides:
        if group_of(word)[0] in foreign:
            allowed = "are workload, shorten" if hybrid else "with network=hybrid"
            raise InputError(f"{word}: without effect on this network; allowed {allowed}")
