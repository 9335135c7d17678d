"""From a composed config to the setup of a search."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from isoplane.models import Design, InputError
from isoplane.models.checks import check_int
from isoplane.objectives import Lexicographic
from isoplane.runs.records.judge import automatic_factor, judged
from isoplane.search import Auto, Fleet, Limits, Space, Strategy

from .config_values import Config, shown
from .designs import warm_start_of
from .setup import fleet_of, limits_of, seed_of
from .spaces import configured_objective, is_timed, search_space_of, stated_objective
from .strategies import strategy_of

JUDGES = (None, "simulator")


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
    space = search_space_of(config)
    config = config.replaced(objective=stated_objective(config, space))
    objective, strategy, limits = space.fitted(configured_objective(config)), strategy_of(config), limits_of(config)
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
        config.plain(),
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
