"""Structural metrics of any network: what its cables allow, and how its routes bear the worst traffic."""

from .bisection import Bisection, bisection
from .throughput_bound import ThroughputBound, bound_by_lengths, concurrent_flow

__all__ = ["Bisection", "ThroughputBound", "bisection", "bound_by_lengths", "concurrent_flow"]
