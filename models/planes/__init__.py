"""Switches, cables, nodes and routes, as data.

A `Cabling` (`plane.py`) is a plane without its routes: what is plugged into what, with the length of each cable. Where
cables run in the machine room is the matter of `models/cabling/`.
"""
