"""`isoplane reproduce`: a published figure, computed again."""

from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.config_values import given_words, plain, shown
from isoplane.runs.config.unused_options import check_figure
from isoplane.runs.figures import shibamura, shimizu, takizawa
from isoplane.runs.figures.curves import reproduce_curves
from isoplane.runs.figures.designs import reproduce_designs
from isoplane.runs.figures.figure import reproduce
from isoplane.runs.figures.hosomi.simulated import FIGURES
from isoplane.runs.terminal import codes

PAPERS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "hosomi": lambda data: (reproduce_curves if data["figure"] in FIGURES else reproduce_designs)(data),
    "shibamura": lambda data: reproduce(shibamura.FIGURES[data["figure"]], data),
    "shimizu": lambda data: reproduce(shimizu.FIGURES[data["figure"]], data),
    "takizawa": lambda data: reproduce(takizawa.FIGURES[data["figure"]], data),
}


def run(config: DictConfig) -> int:
    """Recompute a figure, write its numbers, compare them, and print the comparison.

    Raises
    ------
    InputError
        If no experiment is given, or a value is out of range.
    """
    data = plain(config)
    if data["figure"] is None:
        raise InputError("figure=null: expected experiment=hosomi/fig3 and the like")
    if not isinstance(data["sizes"], list):
        raise InputError(f"sizes={shown(data['sizes'])}: expected a list, such as [8,16]")
    if data["paper"] not in PAPERS:
        raise InputError(f"paper={shown(data['paper'])}: expected {', '.join(PAPERS)}")
    _require_figure(data["paper"], data["figure"])
    check_figure(data, given_words())
    PAPERS[data["paper"]](data)
    return codes.DONE


def _require_figure(paper: str, figure: object) -> None:
    """Require a figure of a paper, one for each of its experiments."""
    files = resources.files("isoplane.conf").joinpath("experiment", paper).iterdir()
    figures = sorted(file.name.removesuffix(".yaml") for file in files)
    if figure not in figures:
        raise InputError(f"figure={shown(figure)}: expected {', '.join(figures)}")
