"""Figures of designs: Hosomi et al. 2021, number by number."""

from . import design_figures, latency_curves

FIGURES = {**dict.fromkeys(design_figures.FIGURES, design_figures.check), "fig9": latency_curves.check}

__all__ = ["FIGURES"]
