"""Simulation of interconnection networks, flit by flit, and the language in which networks are described."""
