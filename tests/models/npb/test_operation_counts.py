"""What stands behind the counts of benchmarks, and processes beyond the nodes of a graph."""

from math import log, pi, sqrt

import numpy as np
import pytest

from isoplane.models.workloads import npb
from isoplane.models.workloads.npb import skeleton
from isoplane.models.workloads.npb.benchmarks import ep, is_
from isoplane.runs.records import workload_from, workload_json
from tests.cases import for_each


class Counted(float):
    """A number that counts the floating-point operations on it."""

    operations = 0


def counting(name):
    def method(self, *others):
        Counted.operations += 1
        return Counted(getattr(float, name)(self, *others))

    return method


for name in ("add", "sub", "mul", "truediv"):
    setattr(Counted, f"__{name}__", counting(f"__{name}__"))
    setattr(Counted, f"__r{name}__", counting(f"__r{name}__"))


def function(apply, value):
    Counted.operations += 1
    return Counted(apply(value))


def uniform(last):
    """Return the next number of the generator, 5^13 times the last one modulo 2^46, and the number over 2^46."""
    high, low = Counted(5**13 // 2**23), Counted(5**13 % 2**23)
    upper = Counted(int(2.0**-23 * last))
    lower = last - 2.0**23 * upper
    middle = high * lower + low * upper
    middle = middle - 2.0**23 * Counted(int(2.0**-23 * middle))
    product = 2.0**23 * middle + low * lower
    following = product - 2.0**46 * Counted(int(2.0**-46 * product))
    return following, 2.0**-46 * following


def test_operations_of_pairs_of_random_numbers_are_those_of_the_program():
    pairs, accepted, last, exact = 5_000, 0, Counted(271828183), 271828183
    total_x, total_y, annuli = Counted(0), Counted(0), [Counted(0)] * 10
    Counted.operations = 0
    for _ in range(pairs):
        last, x = uniform(last)
        last, y = uniform(last)
        exact = exact * 5**26 % 2**46
        assert last == exact  # and so the generator is that of the benchmark
        x, y = 2 * x - 1, 2 * y - 1
        t = x * x + y * y
        if t <= 1:
            factor = function(sqrt, -2.0 * function(log, t) / t)
            x, y = x * factor, y * factor
            annulus = int(max(abs(x), abs(y)))
            annuli[annulus], total_x, total_y = annuli[annulus] + 1, total_x + x, total_y + y
            accepted += 1
    assert Counted.operations == (2 * ep.PER_NUMBER + ep.PER_PAIR) * pairs + ep.PER_ACCEPTED * accepted
    assert abs(accepted - pairs * pi / 4) < 3 * sqrt(pairs * pi / 4 * (1 - pi / 4))


@for_each(("benchmark", "module"), [("ep", ep), ("is", is_)])
def test_operations_behind_a_count_are_more_time_at_the_same_rate(benchmark, module):
    def delays(gflops, per_count=1):
        work = npb(benchmark, "S", 4, gflops=gflops, operations_per_count=per_count)
        return work.message_list().delay_ps

    assert (delays(1, 8) == delays("0.125")).all()
    assert (delays(1, {benchmark: 8, "cg": 3}) == delays(1, 8)).all()
    assert (delays(1, {"cg": 3}) == delays(1)).all()
    ratio = delays(1, "code").max() / delays(1).max()
    assert ratio == pytest.approx(module.operations_per_count("S"), rel=1e-6)


def test_benchmarks_that_count_operations_have_none_behind_them():
    assert npb("cg", "S", 4, gflops=1, operations_per_count="code") == npb("cg", "S", 4, gflops=1)


@for_each("per_count", [1, 2.5, "code", {"ep": "code"}, {"is": 9}])
def test_records_state_operations_behind_a_count_unless_it_is_one(per_count):
    work = npb("ep", "S", 4, gflops=1, operations_per_count=per_count)
    stated = workload_json(work)
    assert workload_from(stated) == work
    assert ("operations_per_count" in stated) == (per_count not in (1, {"is": 9}))


@for_each("graph", ["BH", "WH", "SH"])
def test_processes_beyond_the_graph_of_dt_are_idle(graph):
    least = {"BH": 11, "WH": 11, "SH": 32}[graph]
    few, many = (skeleton("dt", "W", processes, graph=graph).counts() for processes in (least, 64))
    for column in ("source", "destination", "size_bytes", "messages"):
        assert (getattr(few, column) == getattr(many, column)).all()
    lists = [npb("dt", "W", processes, graph=graph).message_list() for processes in (least, 64)]
    assert lists[1].nodes == 64
    for column in ("source", "destination", "length_bytes", "dependency"):
        assert np.array_equal(*(getattr(messages, column) for messages in lists))
