"""Solvers of integer programs."""
