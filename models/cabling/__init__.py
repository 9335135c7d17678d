"""Cables in the machine room: their lengths over the floor, the racks of switches and nodes, and lists of cables."""
