"""From a composed config to objectives, stopping criteria, seeds and fleets."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import resources
from typing import Any

from isoplane.fleet import Processes
from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, shown
from isoplane.models.workloads import Workload
from isoplane.objectives import CUBES, METRIC_TABLE, Evaluator, Lexicographic, Scope, objective_names
from isoplane.objectives.scoring.expressions import SUBJECT_TO, is_in_words
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.objectives.scoring.functions import is_function
from isoplane.objectives.scoring.own_metrics import own_functions, own_integer, own_metrics
from isoplane.objectives.scoring.worded_objective import worded_objective
from isoplane.search import Fleet, Limits, Threads

from ..inputs.yaml_files import packaged_yaml
from .config_values import group, values_of

DEFAULT_SECONDS = 30
# In messages: the designs that an evaluator is for.
DESIGNS: Mapping[Scope, str] = {
    "cubes": "a network of cubes",
    "switches": "a network of switches",
    "times": "a network of switches",
    "circuits": "a network with circuits",
}


def objective_of(
    objective: Mapping[str, Any],
    evaluator: Evaluator = CUBES,
    workload: Workload | None = None,
    network: Network | None = None,
) -> Lexicographic:
    """Return the objective that a group of a config describes.

    Parameters
    ----------
    objective
        The group: the name of an objective with its components, or an objective in words as its name.
    evaluator, workload
        What computes its integers.
    network
        Any network of the search, for an objective in words.
    """
    name = objective.get("name")
    if isinstance(name, str) and SUBJECT_TO in name:
        words, _, limits = name.partition(SUBJECT_TO)
        raise InputError(f"objective={name}: expected objective='{words}' subject_to='{limits}'")
    if network is not None and (is_in_words(name) or is_function(name)):
        for key in ("components", "metrics"):
            if objective.get(key) is not None:
                raise InputError(f"objective.{key}={objective[key]}: has no effect with objective={name!r}")
        of_words = worded_objective if is_in_words(name) else function_objective
        return of_words(str(name), evaluator, network, workload)
    return _named(objective, evaluator, workload, network)


def _named(
    objective: Mapping[str, Any], evaluator: Evaluator, workload: Workload | None, network: Network | None
) -> Lexicographic:
    """Return the objective of a name with its components, or with the metrics of a front."""
    name, front, components = objective.get("name"), objective.get("metrics"), objective.get("components")
    if not isinstance(name, str) or not name:
        raise InputError(f"objective.name={shown(name)}: expected text")
    names = {key: exact for key, exact in objective_names(evaluator.scope).items() if exact in evaluator.names}
    recorded = ", ".join(metric for metric in names if metric in METRIC_TABLE)
    if evaluator.scope == "switches":
        names["max_traffic"] = "peak_load"  # in files of objectives, which name the load by what it limits
    allowed = f"objective={name}: {DESIGNS[evaluator.scope]} expects components of {recorded}"
    if front is not None:
        if evaluator != CUBES:
            raise InputError(f"{allowed}, not a front")
        components = _ranked_by(front, recorded, names)
    if not isinstance(components, list) or not all(isinstance(component, list) for component in components):
        raise InputError(f"objective.components={components!r}: expected a list of lists of metrics")
    for metric in (metric for component in components for metric in component):
        names |= {metric: integer} if (integer := own_integer(metric)) is not None else {}
        if not isinstance(metric, str) or metric not in names:
            timed = (
                ", or workload=NAME for times" if evaluator == CUBES and str(metric) in objective_names("times") else ""
            )
            raise InputError(f"{allowed}{timed}, not {metric!r}")
    products = tuple(tuple(names[metric] for metric in component) for component in components)
    pair = None if front is None else (names[front[0]], names[front[1]])
    functions = () if network is None else own_functions(products, evaluator, network, workload)
    return Lexicographic(name, products, evaluator, workload, pair, functions=functions)


def _ranked_by(front: object, recorded: str, names: Mapping[str, str]) -> list[list[Any]]:
    """Return the components that rank the designs of a front: the product of its metrics, or with a function each.

    Values of a function may be negative, or 0.
    """
    pair = front if isinstance(front, list) and len(front) == 2 else []
    if len({own_integer(metric) or names.get(str(metric), str(metric)) for metric in pair}) != 2:
        raise InputError(f"objective.metrics={front!r}: expected two different metrics of {recorded}")
    own = [metric for metric in pair if own_integer(metric) is not None]
    if any(own_metrics()[metric].higher_is_better for metric in own if metric in own_metrics()):
        raise InputError(f"objective.metrics={front}: more of {', '.join(own)} is better; expected what is minimised")
    return [[metric] for metric in pair] if own else [pair]


def named_objective(name: str) -> Lexicographic:
    """Return the objective defined by a file in conf/objective."""
    return objective_of(objective_file(name))


def objective_file(name: str) -> dict[str, Any]:
    """Return the content of a file in conf/objective."""
    files = resources.files("isoplane.conf").joinpath("objective")
    file = files.joinpath(f"{name}.yaml")
    if not file.is_file():
        allowed = sorted(entry.name.removesuffix(".yaml") for entry in files.iterdir())
        raise InputError(f"objective={name}: expected {', '.join(allowed)}")
    return packaged_yaml(file)


def limits_of(config: Mapping[str, Any]) -> Limits:
    """Return the stopping criteria; `seconds=auto` is 30, or no limit if `evaluations` or `stalled` is given."""
    stop = values_of(group(config, "stop"))
    if stop.get("seconds") == "auto":
        has_other_limit = stop.get("evaluations") is not None or stop.get("stalled") is not None
        stop["seconds"] = None if has_other_limit else DEFAULT_SECONDS
    return Limits(**stop)


def seed_of(config: Mapping[str, Any]) -> int:
    """Return the seed."""
    return check_int("seed", config["seed"], 0, (1 << 64) - 1)


def fleet_of(config: Mapping[str, Any], *, processes: bool = False) -> AbstractContextManager[Fleet]:
    """Return a context manager that opens the fleet: threads of this machine, or Ray, which is imported only here.

    Parameters
    ----------
    config
        The composed config.
    processes
        Whether the calls hold the interpreter lock, so that they need processes of this machine instead of threads.
    """
    fleet = group(config, "fleet")
    workers = check_int("workers", config["workers"], 1, 1024)
    name, address = fleet.get("name"), fleet.get("address")
    if name not in ("local", "ray"):
        raise InputError(f"fleet.name={name!r}: expected local, ray")
    if name == "local":
        if address is not None:
            raise InputError(f"fleet.address={address!r}: allowed with fleet=ray only")
        return Processes(workers) if processes else nullcontext(Threads(workers))
    if address is not None and not isinstance(address, str):
        raise InputError(f"fleet.address={address!r}: expected HOST:PORT of a Ray cluster, auto or null")
    from isoplane.fleet.ray import RayFleet

    return RayFleet(workers, address)
