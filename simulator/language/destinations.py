"""Destinations of the deterministic traffic patterns of the language."""

from math import isqrt

import numpy as np

from isoplane.simulator.traffic.permutations import Nodes, neighbour, reverse, shuffle, tornado

from .choices import Pattern
from .program import Program
from .topology import Mesh, Rdt, Torus


def destinations(program: Program) -> Nodes | None:
    """Return the destination of every node, or None if the pattern is random.

    Examples
    --------
    >>> from importlib.resources import files
    >>> from dataclasses import replace
    >>> from . import Traffic, read_program
    >>> torus = read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl")
    >>> destinations(replace(torus, traffic=Traffic(Pattern.TORNADO)))[:3].tolist()  # 31 steps ahead in x and in y
    [2015, 2016, 2017]
    """
    pattern, nodes = program.traffic.pattern, program.nodes
    ids: Nodes = np.arange(nodes, dtype=np.int64)
    if pattern is Pattern.COMPLEMENT:
        return np.flip(ids)
    if pattern is Pattern.TRANSPOSE:
        side = isqrt(nodes)
        return side * (ids % side) + ids // side
    if pattern is Pattern.SHUFFLE:
        return shuffle(nodes)
    if pattern is Pattern.BIT_REVERSE:
        return reverse(nodes)
    if pattern in (Pattern.TORNADO, Pattern.NEIGHBOUR):
        assert isinstance(program.topology, (Torus, Mesh, Rdt))  # only these have coordinates
        return (tornado if pattern is Pattern.TORNADO else neighbour)(program.topology.shape)
    return None
