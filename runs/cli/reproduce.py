"""`isoplane reproduce`: a published figure, computed again."""

from collections.abc import Mapping

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.runs.config.config_values import Config, choice_of, plain
from isoplane.runs.figures import hirasawa, hosomi, shibamura, shimizu, takizawa
from isoplane.runs.figures.figure import Check, Compute, reproduce
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.table_output import format_of

PAPERS: Mapping[str, Mapping[str, Check]] = {
    "hirasawa": hirasawa.FIGURES,
    "hosomi": hosomi.FIGURES,
    "shibamura": shibamura.FIGURES,
    "shimizu": shimizu.FIGURES,
    "takizawa": takizawa.FIGURES,
}


def run(config: DictConfig) -> int:
    """Recompute a figure, write its numbers, compare them, and print the comparison."""
    data = Config(plain(config))
    kind, compute = format_of(data["format"]), compute_of(data)
    reproduce(compute, data, kind)
    return codes.DONE


def compute_of(data: Config) -> Compute:
    """Return the computation of the figure that a composed config describes.

    Raises
    ------
    InputError
        If it describes none, or a value is out of range.
    """
    if data["figure"] is None:
        raise InputError("figure=null: expected experiment=hosomi/fig3 and the like")
    if not isinstance(data["sizes"], list):
        raise InputError(f"sizes={shown(data['sizes'])}: expected a list, such as [8,16]")
    figures = PAPERS[choice_of("paper", data["paper"], PAPERS)]
    return figures[choice_of("figure", data["figure"], sorted(figures))](data)
