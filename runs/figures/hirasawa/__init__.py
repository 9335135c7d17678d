"""Hirasawa, Yamaki and Koibuchi on routing-table caches in switches, recomputed."""

from . import benchmark_conflicts, id_conflicts, latencies, lookup_powers, lookup_rates, packet_timeline, size_shares

FIGURES = {
    "fig1": size_shares.check,
    "fig3": packet_timeline.check,
    "fig5": id_conflicts.check,
    "fig6": benchmark_conflicts.check,
    "fig11": latencies.check_sides,
    "fig12": latencies.check_entries,
    "fig13": lookup_powers.check,
    "throughput": lookup_rates.check,
}

__all__ = ["FIGURES"]
