"""`isoplane reproduce`: a published figure, computed again."""

import sys
from functools import cache
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.objectives import Objective
from isoplane.runs.figures import format_table, reproduce
from isoplane.search import ConnectionSets, Exact, Fleet, Limits, Progress, Solution, Strategy, Watched, solve

from . import codes
from .progress import ProgressLine
from .setup import fleet_of, limits_of, named_objective, plain, seed_of, strategy_of


def run(config: DictConfig) -> int:
    """Search the designs of a figure, write and compare its numbers, and print the comparison.

    Raises
    ------
    InputError
        If no experiment is given.
    """
    data = plain(config)
    if data["figure"] is None or not isinstance(data["sizes"], list):
        raise InputError(
            f"figure={data['figure']!r}, sizes={data['sizes']!r}: allowed is experiment=hosomi/fig3 and the like"
        )
    strategy, limits = strategy_of(data), limits_of(data)
    seed = seed_of(data)
    exact_up_to = check_int("exact_up_to", data["exact_up_to"], 1, 7)

    @cache
    def solve_design(folded: bool, n: int, objective_name: str) -> Solution:
        space = ConnectionSets(n, folded)  # racks, prices and switches of the paper
        objective = named_objective(objective_name)
        print(f"{space.identical.family} n={n} {objective_name}", file=sys.stderr)
        exact = n <= exact_up_to
        chosen = Exact() if exact else strategy
        return _best(space, objective, chosen, Limits() if exact else limits, seed, fleet)

    with fleet_of(data) as fleet:
        folder = Path(HydraConfig.get().runtime.output_dir)
        verdicts = reproduce(data["figure"], data["sizes"], solve_design=solve_design, folder=folder)
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    return codes.DONE


def _best(
    space: ConnectionSets, objective: Objective, strategy: Strategy, limits: Limits, seed: int, fleet: Fleet
) -> Solution:
    line = ProgressLine(objective, limits)

    def watch(progress: Progress) -> str | None:
        line.show(progress)
        return None

    *_, best = solve(space, objective, strategy, Watched(limits, watch), seed, fleet=fleet)
    line.close()
    return best
