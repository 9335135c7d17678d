"""Figs. 10 to 15 of the paper on switch-saving topologies: exchanges on the testbed, FT, statements and files."""

import csv
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.workloads.npb import skeleton
from isoplane.objectives.exchanges import check_order
from isoplane.runs.figures.checked import statement_table
from isoplane.runs.figures.shimizu.exchange_runs import (
    ORDERS,
    amount_runs,
    exchange_order,
    fluid_ns,
    network_of,
    packet_checks,
    transform_runs,
)
from isoplane.runs.figures.shimizu.exchange_statements import statements
from isoplane.runs.figures.shimizu.exchange_times import CLASSES, check, figure_of, runs_of
from tests.cases import for_each
from tests.runs.cli.conftest import files

SERVERS = (8, 16, 32)
COST = {8: (10, 7), 16: (22, 15), 32: (46, 31)}  # shift, contention-free, in times of a message alone
RATE = Fraction(27, 10)


def links(source, destination):
    """The links between leaves and spines on the way: server m of a leaf is reached at one position over i + 1 + m."""
    (leaf, _), (other, place) = divmod(source, 2), divmod(destination, 2)
    if leaf == other:
        return []
    ends = {leaf % 4, other % 4}
    spine = frozenset(ends if len(ends) == 2 else {leaf % 4, (leaf + 1 + place) % 4})
    return [(leaf, spine), (spine, other)]


@for_each("servers", SERVERS)
def test_synchronised_equal_phases_cost_what_the_busiest_link_of_each_carries(servers):
    for name, cost in zip(ORDERS, COST[servers], strict=True):
        order = exchange_order(servers, name)
        busiest = [
            max(Counter(link for pair in enumerate(phase) for link in links(*pair)).values(), default=1)
            for phase in order.destination.tolist()
        ]
        assert sum(busiest) == cost
        assert check_order(network_of(servers), order).busiest.tolist() == busiest
        short, long = (fluid_ns(servers, name, True, size) for size in (1 << 20, 3 << 20))
        assert long - short == cost * (2 << 20) * 8 // 32  # delays cancel


def test_packets_take_the_time_of_the_fluid_model():
    for run, packets_ns in packet_checks(SERVERS):
        assert abs(packets_ns / run.exchange_ns - 1) < (Fraction(1, 10000) if run.barriers else Fraction(2, 1000))


@for_each("problem", ["B", "C", "D"])
def test_exchanges_of_ft_are_those_of_its_skeleton(problem):
    for run in transform_runs(problem, SERVERS, RATE):
        found = skeleton("ft", problem, run.servers).collectives()
        exchanges = [(each.size_bytes, times) for each, times in found if each.name == "alltoall"]
        assert {size for size, _ in exchanges} == {run.message_bytes}
        assert sum(times for _, times in exchanges) == run.exchanges


def test_twice_the_rate_halves_the_computing_and_leaves_the_exchanges():
    for once, twice in zip(transform_runs("B", SERVERS, RATE), transform_runs("B", SERVERS, 2 * RATE), strict=True):
        assert twice.communication_ns == once.communication_ns
        assert twice.computing_ns == pytest.approx(once.computing_ns / 2, rel=1e-8)
        assert once.total_ns == once.communication_ns + once.computing_ns
    # 22 transforms of 2^25 (5.23518 + 7.21113 ln 2^25) operations, divided among 8 servers at 2.7 x 10^9 in a second
    operations = 22 * 2**25 * (5.23518 + 7.21113 * np.log(2.0**25))
    assert next(transform_runs("B", [8], RATE)).computing_ns == pytest.approx(operations / 8 / 2.7, rel=1e-9)


def test_a_throughput_is_what_a_server_sends_in_a_second():
    for run in amount_runs(SERVERS):
        servers = run.servers
        assert run.message_bytes * servers**2 == 2 << 30
        seconds = run.exchange_ns / 1e9
        assert float(run.throughput) == pytest.approx((servers - 1) * run.message_bytes / seconds / 2**20)
        assert run.throughput < Fraction(4 * 10**9, 2**20)  # 32 Gbit/s


def all_runs(figure):
    return runs_of(figure, SERVERS, RATE)


@for_each("figure", CLASSES)
def test_all_statements_but_sizes_and_the_loss_on_virtual_machines_hold(figure):
    found = list(statements(figure, all_runs(figure)))
    assert found
    failing = ["in FT, both orders stay below the limit"] if figure == "fig15" else []
    if figure in ("fig10", "fig11", "fig12"):
        failing = [each.stated for each in found if "the measured one, within a quarter" in each.stated]
        assert len(failing) == 2
    assert [each.stated for each in found if not each.holds] == failing


def test_a_statement_on_a_size_holds_within_a_quarter_of_what_was_measured():
    """-11.4 % of communication: a best saving of 14.2 % is near enough, one of 14.3 % is not."""
    old = [run for run in all_runs("fig10") if run.order == "shift"]
    for saving, holds in ((0.114, True), (0.142, True), (0.143, False), (0.085, False)):
        new = [
            replace(
                run,
                order="contention_free",
                exchange_ns=round(run.exchange_ns * (1 - saving)),
            )
            for run in old
        ]
        size = next(each for each in statements("fig10", [*old, *new]) if "saving of communication" in each.stated)
        assert size.holds == holds


def test_verdicts_say_what_they_are_about():
    verdicts = [each.verdict for each in statements("fig10", all_runs("fig10"))]
    assert verdicts == [
        "holds (sign only)",
        "fails",
        "holds (sign only)",
        "holds (at the assumed gflops)",
        "fails (at the assumed gflops)",
    ]


def with_orders_exchanged(found):
    """The runs as if each order had the times of the other."""
    other = dict(zip(ORDERS, reversed(ORDERS), strict=True))
    changed = (replace(run, order=other[run.order]) for run in found)
    return sorted(changed, key=lambda run: (run.servers, run.order, run.barriers))


@for_each("figure", ["fig10", "fig14", "fig15"])
def test_statements_fail_if_the_orders_are_exchanged(figure):
    found = list(statements(figure, with_orders_exchanged(all_runs(figure))))
    assert not any(each.holds for each in found if "stay below" not in each.stated)
    assert str(statement_table(found, ["verdict"])).count("fails") >= len(found) - 1


def test_a_share_that_shrinks_fails():
    backwards = [replace(run, exchange_ns=run.exchange_ns // run.servers) for run in all_runs("fig13")]
    assert not any(each.holds for each in statements("fig13", backwards))


def test_runs_checks_statements_drawing_and_page_are_written(tmp_path):
    runs = runs_of("fig12", [8, 16], RATE)
    figure_of("fig12", runs, list(packet_checks([8]))).write(tmp_path, "fig12")
    assert files(tmp_path) == [
        f"fig12{end}" for end in ("-packets.csv", "-published.csv", ".csv", ".html", ".png", ".svg")
    ]
    with (tmp_path / "fig12.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["exchange_ns"]) for row in rows] == [run.exchange_ns for run in runs]
    assert [int(row["servers"]) for row in rows] == [8] * 4 + [16] * 4
    for row, run in zip(rows, runs, strict=True):
        assert float(row["total_s"]) == pytest.approx(run.total_ns / 1e9, abs=1e-6)
    page = (tmp_path / "fig12.html").read_text()
    assert "3 of 5 statements of the paper hold in the model" in page
    assert all(each.stated in page for each in statements("fig12", runs))


@for_each(
    ("name", "servers", "gflops", "message"),
    [
        ("fig10", [], 1, "sizes=.*: expected numbers of servers, some of 8, 16, 32, 64"),
        ("fig10", [8, True], 1, "sizes=True: expected numbers of servers"),
        ("fig10", [8], 0, "gflops=0: expected a number above 0"),
        ("fig13", [8], None, "gflops=null: expected a number above 0"),
    ],
)
def test_values_out_of_range_are_bad_input(name, servers, gflops, message):
    with pytest.raises(InputError, match=message):
        check({"figure": name, "sizes": servers, "gflops": gflops})
