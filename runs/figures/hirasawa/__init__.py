"""Hirasawa, Yamaki and Koibuchi on routing-table caches in switches, recomputed."""

from . import size_shares

FIGURES = {"fig1": size_shares.check}

__all__ = ["FIGURES"]
