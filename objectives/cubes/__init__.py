"""Metrics of cubes from the native kernels."""
