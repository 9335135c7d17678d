"""Shimizu and Nakajima on switch-saving topologies: Fig. 7, and the exchanges of Figs. 10 to 15, recomputed."""

from . import exchange_times, largest_networks

FIGURES = {"fig7": largest_networks.check, **dict.fromkeys(exchange_times.CLASSES, exchange_times.check)}

__all__ = ["FIGURES"]
