"""Figs. 11 to 13 and section 7.2 of the paper on routing-table caches: points, verdicts and files."""

import csv
import re
from fractions import Fraction

import pytest

from isoplane.runs.config.config_values import Config
from isoplane.runs.figures.hirasawa import FIGURES
from isoplane.runs.figures.hirasawa.beside_paper import stated
from isoplane.runs.published import hirasawa_numbers
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config, files

SIZES = {"fig11": [5, 13, 21, 31], "fig12": [128, 2048, 9261], "fig13": [0, 50, 100], "throughput": [1, 7]}


def config_of(name, *overrides):
    return Config(composed_config("reproduce", f"experiment=hirasawa/{name}", *overrides))


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    return {
        name: FIGURES[name](config_of(name, f"sizes={sizes}".replace(" ", "")))(tmp_path_factory.mktemp(name))
        for name, sizes in SIZES.items()
    }


def column(figure, name):
    (table,) = [table for suffix, table in figure.tables.items() if not suffix]
    return [row[table.columns.index(name)] for row in table.rows]


def beside(figure):
    return {row[0]: row[1:] for row in figure.tables["-published"].rows}


def test_every_published_number_of_the_models_is_compared_and_agrees(figures):
    numbers = [number for number in hirasawa_numbers() if number.figure in ("Fig 11", "Fig 12", "Fig 13", "4.1", "7.2")]
    rows = [row for figure in figures.values() for row in figure.tables["-published"].rows]
    compared = {row[0]: row[2] for row in rows if not row[2].startswith("holds")}
    assert {stated(number) for number in numbers} == set(compared)
    assert set(compared.values()) == {"agrees"}


def test_latencies_are_those_of_equation_4(figures):
    # hits take 77 ns, misses 25 ns more, links 20 ns; 1 + 3 · (K // 2) switches, and one link more
    assert column(figures["fig11"], "without") == ["860.0 ns", "2300.0 ns", "3740.0 ns", "5540.0 ns"]
    assert column(figures["fig11"], "change") == ["-18.7 %", "-18.9 %", "-15.0 %", "-12.9 %"]
    hits = [column(figures["fig11"], f"hits, {port}")[2] for port in ("node", *(f"dimension {i}" for i in (1, 2, 3)))]
    assert hits == ["0.221", "0.464", "1.000", "1.000"]
    assert column(figures["fig12"], "change") == ["-9.3 %", "-15.0 %", "-19.1 %"]
    assert column(figures["fig12"], "with caches")[1] == "3180.4 ns"


def test_the_reduction_first_grows(figures):
    ours, judged = beside(figures["fig11"])["the reduction falls as the number of nodes grows"]
    assert ours == "18.7 % at 125, 18.9 % at 2197, 12.9 % at 29791"
    assert judged == "holds (from 2197 nodes on; up to there it grows)"


def test_powers_are_those_of_equation_5(figures):
    assert column(figures["fig13"], "power")[:3] == ["0.036 W", "0.127 W", "0.127 W"]
    # 127 mW for 36 mW; 91 mW are n · (42 - 0.039) nJ at 2.17 of 437.5 million packets per second
    (text,) = [words for words in figures["fig13"].text if str(words).startswith("Idle")]
    assert "need 3.5 times the power" in text
    assert "from a load of 0.50 % on" in text


def test_the_table_that_all_ports_share_limits_look_ups(figures):
    text = "\n".join(map(str, figures["throughput"].text))
    assert "If 7 ports share the table, it limits them from 0.571 % misses on, not from 4 %" in text
    assert "bears a load of 9.14 % of 7 ports" in text  # 40 of 437.5 million packets per second
    by_case = dict(
        zip(
            zip(column(figures["throughput"], "ports"), column(figures["throughput"], "misses"), strict=True),
            zip(column(figures["throughput"], "look-ups"), column(figures["throughput"], "largest load"), strict=True),
            strict=True,
        )
    )
    assert by_case["1", "10 %"] == ("400.0 Mpps", "100.00 %")
    load = 100 * Fraction(400) / Fraction(4375, 10)
    assert by_case["7", "10 %"] == ("400.0 Mpps", f"{float(load):.2f} %")
    assert by_case["7", "1 %"][0] == "4000.0 Mpps"


@for_each("name", SIZES)
def test_tables_a_drawing_and_a_page_are_written(figures, blank_charts, tmp_path, name):
    folder = tmp_path / name
    figures[name].write(folder, name)
    assert files(folder) == [f"{name}{end}" for end in ("-published.csv", ".csv", ".html", ".png", ".svg")]
    with (folder / f"{name}.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(figures[name].tables[""].rows)
    page = re.sub(r"\s+", " ", (folder / f"{name}.html").read_text())
    assert ("Section 7.2 of Hirasawa" if name == "throughput" else f"Fig. {name[3:]} of Hirasawa") in page


def test_constants_of_the_switch_may_be_replaced(tmp_path):
    figure = FIGURES["fig13"](config_of("fig13", "switch.lookup_nj=84", "switch.packet_bytes=800", "sizes=[50]"))(
        tmp_path
    )
    assert column(figure, "power")[0] == "9.223 W"
    slower = FIGURES["fig11"](config_of("fig11", "switch=hirasawa_2", "sizes=[5]"))(tmp_path)
    assert column(slower, "without") == ["580.0 ns"]  # 60 ns in each of 7 switches, 8 links
    assert beside(slower) == {}


@for_each(
    ("name", "overrides", "problem"),
    [
        ("fig11", ["sizes=[2]"], "sizes=2: expected an integer from 3 to 40"),
        ("fig11", ["sizes=[]"], "sizes=[]: expected at least one number of switches along a dimension"),
        ("fig11", ["switch.cache=null"], "switch.cache=null: expected a cache, with which the switch is compared"),
        ("fig12", ["sizes=[0]"], "sizes=0: expected an integer from 1 to 16777216"),
        ("fig13", ["sizes=[101]"], "sizes=101: expected an integer from 0 to 100"),
        (
            "fig13",
            ["switch.lookup_nj=null"],
            "switch=hirasawa_1: expected switch.packet_bytes of at least 1, lookup_nj",
        ),
        ("throughput", ["switch.table_interval_ns=0"], "switch.table_interval_ns=0: expected a number above 0"),
        ("throughput", ["switch.cache.interval_ns=null"], "switch.cache.interval_ns=null: expected a number above 0"),
        ("throughput", ["switch=null"], "switch=null: expected experiment=hirasawa/throughput, or a switch"),
    ],
)
def test_options_out_of_range_are_bad_input(name, overrides, problem):
    if overrides == ["switch=null"]:
        require_refusal(lambda: FIGURES[name](Config({**config_of(name).plain(), "switch": None})), problem)
    else:
        require_refusal(lambda: FIGURES[name](config_of(name, *overrides)), problem)
