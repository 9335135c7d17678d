"""Structural metrics of any network: what its cables allow, and how its routes bear the worst traffic."""

from .throughput_bound import ThroughputBound, bound_by_lengths, concurrent_flow

__all__ = ["ThroughputBound", "bound_by_lengths", "concurrent_flow"]
