"""Cables in the machine room: their lengths over the floor, racks of devices, and lists of cables.

The class `Cabling`, which a family builds for each plane, is in `models/planes/plane.py`; its lengths come from here if
they follow from the layout. The export format `cabling` is `runs/exports/cabling/`.
"""
