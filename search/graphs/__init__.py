"""Graphs, also for nodes and ports."""
