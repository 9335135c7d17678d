"""Permutations of the nodes that load a network most."""
