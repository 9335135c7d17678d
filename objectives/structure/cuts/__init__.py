"""Balanced cuts of a network, and bounds on their capacity."""
