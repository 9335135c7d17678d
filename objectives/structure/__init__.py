"""Structural metrics: what the cables of a network allow, and the worst permutation traffic under its routes."""

from .cuts.bisection import Bisection, bisection
from .flows.flow_problem import FlowProblem, flow_problem
from .flows.max_flow import ConcurrentFlow, improving_flows, max_concurrent_flow
from .flows.symmetric_flow import SymmetricFlow, symmetric_flow
from .gathers.gather_bound import GatherBound, gather_bound
from .path_diversity import path_diversity
from .permutations.longest_permutation import LongestPermutation, longest_permutation
from .permutations.permutation_flow import PermutationFlow, permutation_flow
from .permutations.worst_permutation import WorstPermutation, worst_permutation
from .throughput_bound import ThroughputBound, bound_by_distances, bound_by_lengths, concurrent_flow
from .traffic_times import TrafficTimes, traffic_times

__all__ = [
    "Bisection",
    "ConcurrentFlow",
    "FlowProblem",
    "GatherBound",
    "LongestPermutation",
    "PermutationFlow",
    "SymmetricFlow",
    "ThroughputBound",
    "TrafficTimes",
    "WorstPermutation",
    "bisection",
    "bound_by_distances",
    "bound_by_lengths",
    "concurrent_flow",
    "flow_problem",
    "gather_bound",
    "improving_flows",
    "longest_permutation",
    "max_concurrent_flow",
    "path_diversity",
    "permutation_flow",
    "symmetric_flow",
    "traffic_times",
    "worst_permutation",
]
