"""Circuits of hybrid networks: their space, rules, searchers and programs."""
