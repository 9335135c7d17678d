"""The flit-level simulator. It shares no code with `objectives`."""

from .batches import Estimate
from .hardware import Hardware
from .hybrid import HybridReport, simulate_hybrid
from .latencies import Latencies
from .measurement import Precision, measure
from .message_trace import MessageTrace
from .report import Moment, Report
from .saturation import Saturation, saturation
from .simulation import Simulation
from .sweep import Scenario, sweep
from .theory import detoured_bound, throughput_bound, zero_load_latency_ns
from .traffic import Traffic
from .workload_time import workload_time_ns

__all__ = [
    "Estimate",
    "Hardware",
    "HybridReport",
    "Latencies",
    "MessageTrace",
    "Moment",
    "Precision",
    "Report",
    "Saturation",
    "Scenario",
    "Simulation",
    "Traffic",
    "detoured_bound",
    "measure",
    "saturation",
    "simulate_hybrid",
    "sweep",
    "throughput_bound",
    "workload_time_ns",
    "zero_load_latency_ns",
]
