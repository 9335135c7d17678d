"""Figures of simulations: Shibamura et al. on INSIGHT, Figs. 4 to 12, statement by statement."""

from .latencies import check
from .settings import SETTINGS

FIGURES = dict.fromkeys(SETTINGS, check)

__all__ = ["FIGURES"]
