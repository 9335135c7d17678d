"""`isoplane reproduce` of a figure that is simulated."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from isoplane.models import InputError
from isoplane.runs.figures.shibamura import format_table, reproduce

from .live_line import CountLine
from .setup import fleet_of, seed_of


def reproduce_simulations(data: Mapping[str, Any]) -> None:
    """Simulate a figure, write its points, compare them, and print the comparison.

    Parameters
    ----------
    data
        The config.

    Raises
    ------
    InputError
        If a value is out of range.
    """
    if len(data["sizes"]) != 1:
        raise InputError(f"sizes={data['sizes']}: allowed is one number of nodes, such as [4096]")
    seed, opened, line = seed_of(data), fleet_of(data), CountLine()
    folder = Path(HydraConfig.get().runtime.output_dir)
    with opened as fleet:
        verdicts = reproduce(
            data["figure"],
            data["sizes"][0],
            replications=data["replications"],
            seed=seed,
            fleet=fleet,
            folder=folder,
            watch=line.show,
        )
    line.close()
    print(format_table(verdicts))
    print(f"figure: {folder / data['figure']}.svg")
    print(f"programs: {folder / 'programs'}")
