"""Fig. 3 of the paper on routing-table caches: the stages of four flits, and arrivals as in the simulator."""

import re

from isoplane.runs.config.config_values import Config
from isoplane.runs.figures.hirasawa import FIGURES
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config, files

CASES = ("without a cache", "hit", "miss")


def config_of(*overrides):
    return Config(composed_config("reproduce", "experiment=hirasawa/fig3", *overrides))


def rows_of(figure, suffix, *key):
    table = figure.tables[suffix]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {tuple(row[column] for column in key): row for row in rows}


@for_each(
    ("overrides", "delay", "routing", "rest"),
    [([], 100, 25, (25, 25, 25)), (["switch=hirasawa_2", "switch.stages_ns=[10,10,20]"], 60, 20, (10, 10, 20))],
)
def test_flits_follow_the_first_through_the_stages_at_the_rate_of_the_link(tmp_path, overrides, delay, routing, rest):
    figure = FIGURES["fig3"](config_of(*overrides))(tmp_path)
    rows, flit_ns, hit_ns, link_ns = rows_of(figure, "", "switch", "flit"), 100 * 8 // 200, 2, 4 * 5
    looked_up = {"without a cache": routing, "hit": hit_ns, "miss": hit_ns + routing}
    for case in CASES:
        begins = looked_up[case] + rest[0] + rest[1]
        for number in range(4):
            row, later = rows[case, str(number + 1)], number * flit_ns
            assert row["traversal"] == f"{begins + later} to {begins + rest[2] + later} ns"
            assert row["arrives"] == f"{later} ns"
            assert bool(row["look-up in the table"]) == (number == 0 and case != "hit")
    arrivals = rows_of(figure, "-arrivals", "switches", "switch")
    assert len(arrivals) == 4 * len(CASES)
    for (switches, case), row in arrivals.items():
        through = looked_up[case] + sum(rest)
        assert row["last flit arrived"] == f"{(int(switches) + 1) * link_ns + int(switches) * through + 4 * flit_ns} ns"
        assert row["flit by flit"] == row["last flit arrived"]
    assert delay == looked_up["without a cache"] + sum(rest)


def test_what_is_not_known_is_not_shown(tmp_path):
    figure = FIGURES["fig3"](config_of("switch.stages_ns=null", "switch.packet_bytes=256", "sizes=[1]"))(tmp_path)
    assert "traversal" not in figure.tables[""].columns
    assert rows_of(figure, "", "switch", "flit")["hit", "1"]["allocation and traversal"] == "2 to 77 ns"
    # Flits of 2.56 ns: no tick divides both them and 77 ns.
    assert {row["flit by flit"] for row in rows_of(figure, "-arrivals", "switch").values()} == {"-"}


def test_files_are_written(tmp_path):
    FIGURES["fig3"](config_of("sizes=[1]"))(tmp_path / "fig3").write(tmp_path / "fig3", "fig3")
    ends = ("-arrivals.csv", "-published.csv", ".csv", ".html", ".png", ".svg")
    assert files(tmp_path / "fig3") == [f"fig3{end}" for end in ends]
    page = re.sub(r"\s+", " ", (tmp_path / "fig3" / "fig3.html").read_text())
    assert "leaves a switch after 77 ns instead of 100 ns; on a miss after 102 ns" in page


@for_each(
    ("override", "problem"),
    [
        ("sizes=[17]", "sizes=17: expected an integer from 1 to 16"),
        ("switch.packet_bytes=0", "switch.packet_bytes=0: expected a number above 0"),
        ("switch.stages_ns=[25,25,20]", "switch.stages_ns=[25, 25, 20]: expected three times whose sum is 75"),
        ("switch.cache=null", "switch.cache=null: expected a cache, with which the switch is compared"),
    ],
)
def test_options_out_of_range_are_bad_input(override, problem):
    require_refusal(lambda: FIGURES["fig3"](config_of(override)), problem)
