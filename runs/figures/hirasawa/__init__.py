"""Hirasawa, Yamaki and Koibuchi on routing-table caches in switches, recomputed."""

from . import (
    application_gains,
    benchmark_conflicts,
    best_cubes,
    break_even,
    id_conflicts,
    latencies,
    lookup_powers,
    lookup_rates,
    packet_timeline,
    size_shares,
)

FIGURES = {
    "best_cubes": best_cubes.check,
    "break_even": break_even.check,
    "fig1": size_shares.check,
    "fig3": packet_timeline.check,
    "fig5": id_conflicts.check,
    "fig6": benchmark_conflicts.check,
    "fig7": application_gains.check_tori,
    "fig8": application_gains.check_tori,
    "fig9": application_gains.check_random,
    "fig11": latencies.check_sides,
    "fig12": latencies.check_entries,
    "fig13": lookup_powers.check,
    "throughput": lookup_rates.check,
}

__all__ = ["FIGURES"]
