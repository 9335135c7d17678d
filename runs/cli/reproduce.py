"""`isoplane reproduce`: a published figure, computed again."""

from collections.abc import Callable, Mapping
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.figures.hosomi.simulated import FIGURES

from . import codes
from .effects import check_figure
from .reproduce_assignments import reproduce_assignments
from .reproduce_curves import reproduce_curves
from .reproduce_designs import reproduce_designs
from .reproduce_simulations import reproduce_simulations
from .values import given_words, plain, shown

PAPERS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "hosomi": lambda data: (reproduce_curves if data["figure"] in FIGURES else reproduce_designs)(data),
    "shibamura": reproduce_simulations,
    "takizawa": reproduce_assignments,
}


def run(config: DictConfig) -> int:
    """Recompute a figure, write its numbers, compare them, and print the comparison.

    Raises
    ------
    InputError
        If no experiment is given, or a value is out of range.
    """
    data = plain(config)
    if data["figure"] is None or not isinstance(data["sizes"], list):
        raise InputError(
            f"figure={shown(data['figure'])}, sizes={shown(data['sizes'])}: "
            "allowed is experiment=hosomi/fig3 and the like"
        )
    if data["paper"] not in PAPERS:
        raise InputError(f"paper={shown(data['paper'])}: allowed are {', '.join(PAPERS)}")
    check_figure(data, given_words())
    PAPERS[data["paper"]](data)
    return codes.DONE
