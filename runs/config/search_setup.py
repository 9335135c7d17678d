"""From a composed config to all that a search needs: the config is read here, once, and not again."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from isoplane.models import Design
from isoplane.models.checks import check_int
from isoplane.objectives import Objective
from isoplane.search import Auto, Fleet, Limits, Space, Strategy

from .designs import warm_start_of
from .judge_options import judge_of, shorten_of
from .setup import fleet_of, limits_of, seed_of
from .spaces import criterion_of, search_space_of
from .strategies import strategy_of


@dataclass(frozen=True)
class SearchSetup:
    """A search as it is configured.

    Attributes
    ----------
    space, objective, strategy, limits, seed
        What is searched, for what, how, until when, and from which seed.
    start
        The design to begin with, if there is one.
    fleet, workers
        What opens the fleet, and how many workers it has.
    judge, shorten
        Who judges the designs that are found, if anybody, and by which factor messages are shortened then.
    """

    space: Space
    objective: Objective
    strategy: Strategy
    limits: Limits
    seed: int
    start: Design | None
    fleet: AbstractContextManager[Fleet]
    workers: int
    judge: str | None
    shorten: int | None


def search_setup(config: Mapping[str, Any], started: tuple[int, ...] | None) -> SearchSetup:
    """Return the search that a config describes.

    Parameters
    ----------
    config
        The composed config, or that of the run that goes on.
    started
        The candidate with which a run began that goes on; its file may be gone. None for a new run.

    Raises
    ------
    InputError
        If a value is not allowed, or two do not fit together.
    """
    space = search_space_of(config)
    objective, strategy, limits = space.fitted(criterion_of(config)), strategy_of(config), limits_of(config)
    limits.require_defined(objective, space.bounds(objective))
    if isinstance(strategy, Auto):
        strategy = strategy.choose(space, objective)  # records name what searched
    return SearchSetup(
        space,
        objective,
        strategy,
        limits,
        seed_of(config),
        warm_start_of(config) if started is None else space.design(started),
        fleet_of(config),
        check_int("workers", config["workers"], 1, 1024),
        judge_of(config),
        shorten_of(config),
    )
