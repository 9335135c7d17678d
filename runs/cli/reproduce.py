"""`isoplane reproduce`: a published figure, computed again."""

from collections.abc import Mapping

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.config_values import Config, choice_of, plain, shown
from isoplane.runs.figures import hirasawa, hosomi, shibamura, shimizu, takizawa
from isoplane.runs.figures.figure import Check, reproduce
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
    if data["figure"] is None:
        raise InputError("figure=null: expected experiment=hosomi/fig3 and the like")
    if not isinstance(data["sizes"], list):
        raise InputError(f"sizes={shown(data['sizes'])}: expected a list, such as [8,16]")
    figures = PAPERS[choice_of("paper", data["paper"], PAPERS)]
    kind = format_of(data["format"])
    reproduce(figures[choice_of("figure", data["figure"], sorted(figures))], data, kind)
    return codes.DONE
