"""Hydra configs: one group for each noun."""
