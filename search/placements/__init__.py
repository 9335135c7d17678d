"""Placements of processes on nodes, from their traffic."""
