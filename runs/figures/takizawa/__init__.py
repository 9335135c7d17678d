"""Fig. 2 of Takizawa, Endo and Matsuoka on optical circuits with a packet network, recomputed."""

from functools import partial

from .stencil_times import check

# The paper leaves open whether the stencil is periodic.
FIGURES = {"fig2": partial(check, periodic=False), "fig2_torus": partial(check, periodic=True)}

__all__ = ["FIGURES"]
