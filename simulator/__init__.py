"""The flit-level simulator. It shares no code with `objectives`."""

from .flits.message_trace import MessageTrace
from .flits.simulation import Simulation, workload_time_ns
from .hardware import Hardware
from .measure.batches import Estimate
from .measure.latencies import Latencies
from .measure.measurement import Precision, measure
from .measure.report import Moment, Report
from .measure.saturation import Saturation, saturation
from .measure.sweep import Scenario, sweep
from .theory.theory import detoured_bound, throughput_bound, zero_load_latency_ns
from .traffic.traffic import Traffic
from .transfers.hybrid import HybridReport, simulate_hybrid

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
