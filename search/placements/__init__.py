"""Placements of the processes of a job on nodes, from its traffic."""
