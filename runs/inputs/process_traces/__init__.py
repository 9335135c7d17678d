"""Traces of processes: time-independent traces of SimGrid, and GOAL of LogGOPSim."""

from .goal_reader import read_goal
from .goal_writer import goal_lines
from .trace_reader import read_trace
from .trace_writer import trace_files

__all__ = ["goal_lines", "read_goal", "read_trace", "trace_files"]
