"""DT, data traffic: arrays of numbers that flow along the arcs of a graph of processes."""

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.workloads.programs import Program

from ..problem import MAX_PROCESSES, Problem

# Mean number of samples of a source, their deviation, and the number of sources, by class.
SIZES = {letter: (1728 << 3 * k, 128 << k, 4 << k) for k, letter in enumerate("SWABCD")}
ITERATIONS = dict.fromkeys(SIZES, 1)
GRAPHS = ("BH", "WH", "SH")
DOUBLES = 4  # per sample
SEED = 314159265


def processes(problem_class: str, graph: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: at least that of the nodes of the graph; others are idle."""
    return tuple(range(len(_layers(problem_class, graph)[0]), MAX_PROCESSES + 1))


def program(problem: Problem) -> Program:
    """Return the skeleton of DT.

    Sources send arrays of random lengths; other nodes pass on the longest array that they received, or a mean one if
    that is longer. An array follows its length. The graphs are BH, which joins four nodes to one per layer, its
    reverse WH, and the butterfly SH. Processes beyond their nodes do nothing.

    References
    ----------
    NPB 3.3.1, DT/dt.c: buildBH, buildWH, buildSH, GetFeatureNum, ProcessNodes, main.
    """
    layer, source, destination = _layers(problem.problem_class, problem.variant)
    length = _lengths(problem.problem_class, layer, source, destination)
    run = Program(problem.processes)
    for number in range(int(layer.max())):
        arcs = np.flatnonzero(layer[source] == number)
        for size_bytes in (4, 8 * length[source[arcs]]):
            run.exchange(source[arcs], destination[arcs], size_bytes, blocking=True)
    sinks = np.setdiff1d(np.arange(len(layer)), source)
    run.exchange(sinks, 0, 8, blocking=True)
    return run


def _layers(problem_class: str, graph: str) -> tuple[Ints, Ints, Ints]:
    """Return the layer of each node, and the arcs."""
    width = SIZES[problem_class][2]
    if graph == "SH":
        layers = width.bit_length()
        layer, place = np.divmod(np.arange(width * layers), width)
        nodes = np.flatnonzero(layer > 0)
        below, bit = nodes - width - place[nodes], 1 << (layer[nodes] - 1)
        source = np.concatenate([below + (place[nodes] & ~bit), below + (place[nodes] | bit)])
        return layer, source, np.tile(nodes, 2)
    widths = [width]
    while widths[-1] > 1:
        widths.append(-(-widths[-1] // 4))
    layer = np.repeat(np.arange(len(widths)), widths)
    first = np.cumsum([0, *widths])
    source = np.arange(first[-2])
    destination = first[layer[source] + 1] + (source - first[layer[source]]) // 4
    if graph == "WH":
        last = len(layer) - 1
        # Numbered from the other end, so that layers ascend here as well.
        return layer.max() - layer[::-1], last - destination, last - source
    return layer, source, destination


def _lengths(problem_class: str, layer: Ints, source: Ints, destination: Ints) -> Ints:
    """Return the number of doubles that each node sends."""
    samples, deviation, _ = SIZES[problem_class]
    length = np.zeros(len(layer), dtype=np.int64)
    # Arcs lead to higher numbers, so the lengths of all that a node receives are known.
    for node in range(len(layer)):
        if layer[node] == 0:
            length[node] = DOUBLES * (samples - deviation + _remainder(node, 2 * deviation))
        else:
            length[node] = max(DOUBLES * samples, *length[source[destination == node]].tolist())
    return length


def _remainder(node: int, modulus: int) -> int:
    """Return the random part of the number of samples: a power in the 32-bit arithmetic of C."""
    exponent = 2 * node + 1
    base = 83 * ((1 << 46) // (exponent * SEED % (1 << 46)))
    odd = 1
    while exponent > 1:
        if exponent % 2:
            odd, exponent = _c_remainder(odd * base, modulus), exponent - 1
        else:
            base, exponent = _c_remainder(base * base, modulus), exponent // 2
    return abs(_c_remainder(odd * base, modulus))


def _c_remainder(value: int, modulus: int) -> int:
    """Return the remainder of a value that has overflowed to 32 bits, with its sign."""
    wrapped = (value + (1 << 31)) % (1 << 32) - (1 << 31)
    # C rounds quotients towards zero, Python downwards.
    return wrapped % modulus if wrapped >= 0 else -(-wrapped % modulus)
