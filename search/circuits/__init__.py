"""Circuits of hybrid networks: their space, rules, chains and programs."""
