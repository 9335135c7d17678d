"""`isoplane reproduce`: a published figure, computed again."""

from collections.abc import Mapping

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.config_values import Config, plain, shown
from isoplane.runs.figures import hosomi, shibamura, shimizu, takizawa
from isoplane.runs.figures.figure import Check, reproduce
from isoplane.runs.terminal import codes

PAPERS: Mapping[str, Mapping[str, Check]] = {
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
    if data["paper"] not in list(PAPERS):
        raise InputError(f"paper={shown(data['paper'])}: expected {', '.join(PAPERS)}")
    figures = PAPERS[data["paper"]]
    if data["figure"] not in list(figures):
        raise InputError(f"figure={shown(data['figure'])}: expected {', '.join(sorted(figures))}")
    reproduce(figures[data["figure"]], data)
    return codes.DONE
