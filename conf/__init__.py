"""Hydra configs: one group per config key."""
