"""Figures of best cubes with cached switches, and of the look-up time from which caches pay."""

from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.models import Network, Site
from isoplane.models.families.torus import Torus
from isoplane.objectives.reference.general import measure_general
from isoplane.runs.config.config_values import Config
from isoplane.runs.figures.hirasawa import FIGURES
from isoplane.runs.figures.hirasawa.beside_paper import switches_of
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config


def config_of(name, *overrides):
    return Config(composed_config("reproduce", f"experiment=hirasawa/{name}", *overrides))


def rows(figure):
    table = figure.tables[""]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_a_best_cube_is_no_slower_than_the_best_for_other_switches(tmp_path):
    found = rows(FIGURES["best_cubes"](config_of("best_cubes", "sizes=[2,4]"))(tmp_path))
    assert [(row["n"], row["switches"]) for row in found] == [
        *(("2", "with caches"), ("2", "without"), ("4", "with caches"), ("4", "without"))
    ]
    assert all(row["of the other's best"] == "the same" or row["of the other's best"].startswith("+") for row in found)
    # n = 2: 5/4 hops of 77 or 100 ns, over cables of 1 m, and at the ends 20 ns of cable, a switch and 16 ns.
    assert [row["delay"] for row in found[:2]] == ["174.50 ns", "214.75 ns"]
    assert len(list((tmp_path / "records").iterdir())) == 4


@for_each("entries", [20, 63])
def test_from_the_break_even_on_caches_shorten_the_mean_delay(tmp_path, entries):
    config = config_of("break_even", "sizes=[4]", f"switch.cache.entries={entries}", "switch.cache.ways=1")
    (row,) = rows(FIGURES["break_even"](config)(tmp_path))
    lookup_ns = float(row["look-up"].removesuffix(" ns"))
    switch, conventional = switches_of(config)
    assert lookup_ns == pytest.approx(2 / (float(row["hits"].removesuffix(" %")) / 100), abs=1e-3)
    torus = Torus(shape=(4, 4, 4), assumed_cable_m=4, node_cable_m=4)
    for shift in (Fraction(-1, 10), Fraction(1, 10)):
        routing_ns = Fraction(round(10 * lookup_ns), 10) + shift
        times = {"routing_ns": routing_ns, "delay_ns": 75 + routing_ns}  # the rest of the delay stays
        with_caches, without = (
            measure_general(Network(torus, Site(switch=replace(model, **times)))).delay
            for model in (switch, conventional)
        )
        assert (with_caches < without) == (routing_ns > lookup_ns)


@for_each(
    ("name", "words", "message"),
    [
        ("best_cubes", ("sizes=[10]",), "switch.cache.entries=2048: the figure takes the delay of a switch as one"),
        ("break_even", ("sizes=[2]",), "sizes=2: expected an integer from 3 to 40"),
        ("break_even", ("switch.routing_ns=0",), "switch.routing_ns=0: expected the time of a look-up, above 0"),
    ],
)
def test_odd_sizes_and_switches_end_in_one_line(name, words, message):
    require_refusal(lambda: FIGURES[name](config_of(name, *words)), message)
