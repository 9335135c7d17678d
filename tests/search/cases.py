"""Objectives as composed by the configs, and a helper to run a search in a test."""

from dataclasses import dataclass

from isoplane.objectives import CUBES, Lexicographic
from isoplane.search import Limits, solve

OBJECTIVES = {
    objective.name: objective
    for objective in (
        Lexicographic("aspl", (("sum_of_distances",),), CUBES),
        Lexicographic("max_traffic", (("max_load",),), CUBES),
        Lexicographic("cable_length", (("cable_length",),), CUBES),
        Lexicographic("delay", (("delay",),), CUBES),
        Lexicographic("delay_paper", (("delay_paper",),), CUBES),
        Lexicographic("cost", (("cost",),), CUBES),
        Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES),
        Lexicographic("delay_and_traffic", (("delay", "max_load"), ("cost",)), CUBES),
        Lexicographic("delay_paper_and_traffic", (("delay_paper", "max_load"), ("cost",)), CUBES),
    )
}
FRONTS = {
    metrics: Lexicographic("front", (metrics,), CUBES, front=metrics)
    for metrics in (("delay", "max_load"), ("sum_of_distances", "max_load"), ("cost", "delay_paper"))
}


@dataclass
class Run:
    """All solutions of a search, the progress of each round, and why it ended."""

    solutions: list
    progress: list
    reason: str | None

    @property
    def last(self):
        return self.solutions[-1]

    @property
    def outcome(self):
        """Everything that the seed determines."""
        return [
            (
                solution.evaluation.score,
                solution.evaluation.bound,
                solution.design,
                solution.evaluations,
                solution.status,
                solution.kept,
            )
            for solution in self.solutions
        ]


def generators(design):
    return design.network.family.planes[1].connections.generators


def search(space, objective, strategy, limits=None, seed=1, workers=1, warm_start=None):
    limits = limits or Limits()
    run = Run([], [], None)

    def watch(progress):
        run.progress.append(progress)
        run.reason = limits(objective, progress)
        return run.reason

    run.solutions += solve(space, objective, strategy, limits, seed, workers, warm_start, watch=watch)
    return run
