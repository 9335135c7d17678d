"""From a composed config to the setup of a search: its space, which follows from the variables of the network."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from isoplane.models import Design, Family, InputError, Network, family_named, family_names
from isoplane.models.checks import check_int, shown
from isoplane.objectives import Evaluator, Lexicographic, evaluator_of
from isoplane.objectives.scoring.functions import is_here
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.runs.inputs.named_families import TARGET, family_of
from isoplane.runs.records.judge import automatic_factor, judged
from isoplane.search import Auto, Fleet, Limits, Space, Strategy, space_of

from .assignments import workload_of
from .cache_lists import listed_caches, listed_switches
from .config_values import SIZES, Config, group, values_of
from .designs import site_of, warm_start_of
from .limit_words import LIMITS, stated_limits
from .setup import fleet_of, limits_of, objective_file, objective_of, seed_of
from .strategies import strategy_of

AUTO = "auto"
JUDGES = (None, "simulator")


def search_space_of(config: Mapping[str, Any]) -> Space:
    """Return the space that a config describes."""
    keys = values_of(group(config, "network"), (TARGET,))
    kind = family_of(keys.get("family"))
    require_variables(kind)
    start = {key: value for key, value in keys.items() if key not in kind.design_keys}
    family = kind.read({**start, **kind.search_start})
    caches = None
    if family.uses_site:
        # Records keep the switch even without a layout, so that designs can be simulated.
        switches = listed_switches(values_of(group(config, "switch")))
        caches = listed_caches(switches)
        groups = {"layout": config.get("layout"), "prices": config.get("prices"), "switch": switches[0]}
        network = Network(family, site_of(groups, family))
    else:
        network = Network(family)
    limits = {**keys, "switch.cache": caches}
    variables = {key: variable.within(key, limits.get(key)) for key, variable in network.variables.items()}
    return space_of(network, variables, workload_of(config) if is_timed(config) else None)


def require_variables(kind: type) -> None:
    """Require that a class, if it is a family, has search variables."""
    if issubclass(kind, Family) and kind.variables is Family.variables:
        searched = [name for name in family_names() if family_named(name).variables is not Family.variables]
        raise InputError(f"network={kind.name}: has no search variables; expected {', '.join(searched)}")


def stated_objective(config: Mapping[str, Any], space: Space) -> dict[str, Any]:
    """Return the group of the objective of a config: in place of ``auto``, the default of the space."""
    objective = group(config, "objective")
    if objective.get("name") != AUTO:
        return values_of(objective)
    default = space.default_objective
    for key, named in (("components", default), ("metrics", "front")):
        if objective.get(key) is not None:
            raise InputError(
                f"objective.{key}={objective[key]}: has no effect with objective={AUTO}; "
                + (f"{space.varies} expect {space.objectives}" if space.objectives else f"expected objective={named}")
            )
    return objective_file(default)


def configured_objective(config: Mapping[str, Any], space: Space) -> Lexicographic:
    """Return the objective that a config describes for a space, with `subject_to`.

    Its metrics are those of the evaluator of the designs of the space, or times if there is a workload.
    """
    objective, evaluator = group(config, "objective"), _evaluator(config, space)
    workload = workload_of(config) if evaluator.needs_workload else None
    network = space.baseline.network
    subject_to = config.get("subject_to")
    try:
        stated = objective_of(objective, evaluator, workload, network)
    except InputError as error:
        if not space.objectives:
            raise
        # The metrics that a message lists are those of networks, most of which this space does not minimise.
        said, _, listed = str(error).partition("; expected ")
        said = f"{said};" if listed else f"objective={objective.get('name')}:"
        raise InputError(f"{said} {space.varies} expect {space.objectives}") from error
    return stated if subject_to is None else limited(stated, subject_to, network)


def is_timed(config: Mapping[str, Any]) -> bool:
    """Whether designs are evaluated with a workload: always with circuits."""
    return config.get("workload") is not None or family_of(group(config, "network").get("family")).kind == "circuits"


def _evaluator(config: Mapping[str, Any], space: Space) -> Evaluator:
    return evaluator_of(space.baseline, has_workload=config.get("workload") is not None)


def judge_of(config: Mapping[str, Any]) -> str | None:
    """Return `simulator` if the designs found are to be simulated, else None."""
    judge: str | None = config.get("judge")
    if judge not in JUDGES:
        raise InputError(f"judge={shown(judge)}: expected simulator, null")
    return judge


def shorten_of(config: Mapping[str, Any]) -> int | None:
    """Return the factor by which messages are shortened in simulations; None if it is chosen automatically."""
    shorten = config["shorten"]
    return None if shorten == "auto" else check_int("shorten", shorten, 1)


@dataclass(frozen=True)
class SearchSetup:
    """A search as configured.

    Attributes
    ----------
    config
        The config, with its objective stated: what a run folder keeps.
    space, objective, strategy, limits, seed
        Search space, objective, strategy, stopping criteria and seed.
    start
        The warm start, if any.
    fleet, workers
        Context manager that opens the fleet, and its number of workers.
    judge, shorten
        `simulator` if the designs found are simulated once the search has ended, and the factor by which messages are
        then shortened.
    """

    config: dict[str, Any]
    space: Space
    objective: Lexicographic
    strategy: Strategy
    limits: Limits
    seed: int
    start: Design | None
    fleet: AbstractContextManager[Fleet]
    workers: int
    judge: str | None
    shorten: int | None


def search_setup(config: Config, started: tuple[int, ...] | None) -> SearchSetup:
    """Return the search that a config describes.

    Parameters
    ----------
    config
        The composed config, or that of the run to resume.
    started
        The warm start of the run to resume, whose file may be gone; None for a new run.
    """
    for size in SIZES:
        if config.get(size) is not None:
            raise InputError(f"{size}={config[size]}: expected in isoplane search, without --multirun and other flags")
    space = search_space_of(config)
    subject_to = stated_limits(config, _evaluator(config, space), space.baseline.network)
    config = config.replaced(objective=stated_objective(config, space), subject_to=subject_to)
    objective = space.fitted(configured_objective(config, space))
    _require_known_functions(objective, config["fleet"]["name"])
    strategy, limits = strategy_of(config), limits_of(config)
    judge = judge_of(config)
    if judge is not None:
        from isoplane.simulator.transfers.transfers import require_simulated  # only a judge needs the simulator

        require_simulated(space.baseline.network)
    workload = objective.workload
    if judge is not None and workload is not None and objective.scope == "times":  # it judges during the search
        objective, judge = judged(objective, shorten_of(config) or automatic_factor(workload)), None
    limits.require_defined(objective, space.bounds(objective))
    if isinstance(strategy, Auto):
        strategy = strategy.choose(space, objective)  # records name the strategy chosen
    return SearchSetup(
        {key: value for key, value in config.plain().items() if key not in (*SIZES, *LIMITS)},
        space,
        objective,
        strategy,
        limits,
        seed_of(config),
        warm_start_of(config) if started is None else space.design(started),
        fleet_of(config),
        check_int("workers", config["workers"], 1, 1024),
        judge,
        None if judge is None or not is_timed(config) else shorten_of(config),
    )


def _require_known_functions(objective: Lexicographic, fleet: str) -> None:
    """Raise an `InputError` if a function of the objective is one of a script, which the workers of a fleet lack."""
    here = [name for name, _, _ in objective.functions if is_here(name)]
    if here and fleet != "local":
        raise InputError(
            f"fleet={fleet}: its workers do not know {here[0]}; expected fleet=local, or a function at the top level "
            "of a module in PYTHONPATH"
        )
