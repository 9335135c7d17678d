"""The objectives for cubes in the configs, for the other scripts in this folder."""

from pathlib import Path

from omegaconf import OmegaConf

from isoplane.objectives import Lexicographic
from isoplane.runs.config.setup import objective_of

CONFIGS = Path(__file__).parents[1] / "conf" / "objective"


def configured(name: str, **changed: object) -> Lexicographic:
    """Return the objective of a config, with some of its keys changed."""
    return objective_of({**OmegaConf.to_container(OmegaConf.load(CONFIGS / f"{name}.yaml")), **changed})


# The default, which follows from the network, and times of a workload.
NOT_FOR_CUBES = ("auto", "bottleneck", "completion", "completion_by_packets", "throughput")
OBJECTIVES = {
    path.stem: configured(path.stem) for path in sorted(CONFIGS.glob("*.yaml")) if path.stem not in NOT_FOR_CUBES
}
