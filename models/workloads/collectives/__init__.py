"""Collective operations: the algorithms, and workloads made of them."""
