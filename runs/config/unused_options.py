"""Reject options without effect on a reproduced figure."""

from collections.abc import Iterable, Mapping
from typing import Any

from isoplane.models import InputError

from .config_values import key_of

SEARCH_AND_FLEET = ("strategy", "stop", "measurement", "exact_up_to", "replications", "seed", "workers", "fleet")
# By paper, or paper and figure: options without effect on a reproduced figure.
UNUSED_BY_FIGURE: Mapping[str, tuple[str, ...]] = {
    "hosomi": ("measurement", "gflops"),
    "hosomi/fig9": ("replications", "gflops"),
    "shibamura": ("strategy", "stop", "measurement", "exact_up_to", "gflops"),
    "shimizu": (*SEARCH_AND_FLEET, "gflops"),
    **dict.fromkeys(("shimizu/fig10", "shimizu/fig11", "shimizu/fig12", "shimizu/fig13"), SEARCH_AND_FLEET),
    "takizawa": ("measurement", "replications", "exact_up_to", "gflops"),
}


def check_figure(config: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Require that every override has an effect on the reproduced figure.

    Raises
    ------
    InputError
        If an override would have no effect.

    Examples
    --------
    >>> check_figure({"paper": "shibamura", "figure": "fig4"}, ["stop.seconds=9"])
    Traceback (most recent call last):
    isoplane.models.errors.InputError: stop.seconds=9: has no effect on shibamura/fig4; expected sizes, \
replications, seed, workers, fleet
    """
    figure = f"{config['paper']}/{config['figure']}"
    unused = UNUSED_BY_FIGURE.get(figure, UNUSED_BY_FIGURE.get(config["paper"], ()))
    options = ("sizes", "gflops", *SEARCH_AND_FLEET)
    for word in overrides:
        if key_of(word).partition(".")[0] in unused:
            allowed = ", ".join(option for option in options if option not in unused)
            raise InputError(f"{word}: has no effect on {figure}; expected {allowed}")
