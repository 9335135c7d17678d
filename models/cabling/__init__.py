"""Cables in the machine room: their lengths over the floor, racks of devices, and lists of cables."""
