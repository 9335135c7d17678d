"""Networks whose switches have routing-table caches, on the command line."""

import json
import re

import pytest

GRID = (
    "network=torus",
    "network.shape=[4,4]",
    "network.assumed_cable_m=2",
    "network.node_cable_m=2",
    "switch=hirasawa_1",
)
WORK = ("workload=npb", "workload.benchmark=lu", "workload.problem_class=S", "workload.processes=16")


def test_an_evaluation_shows_what_caches_gain(isoplane):
    cached, conventional = (isoplane("evaluate", *GRID, *WORK, *more) for more in ((), ("switch.cache=null",)))
    times = [
        int(next(line.split()[1] for line in shown.out.splitlines() if line.startswith("completion_ns")))
        for shown in (cached, conventional)
    ]
    assert f"without caches {times[1] / times[0]:.3f} times as long" in cached.out
    assert f"run by run): {times[1]} ns" in cached.out
    assert "without caches" not in conventional.out
    # 7 switches at most, each 23 ns faster on a hit
    longest = [
        float(next(line.split()[1] for line in shown.out.splitlines() if line.startswith("max_delay_ns")))
        for shown in (cached, conventional)
    ]
    assert longest[1] - longest[0] == pytest.approx(5 * 23)


def test_an_evaluation_by_the_rules_of_simgrid_also_shows_the_gain_by_them(isoplane):
    rules = ("messages_start=both", "sharing=cm02")
    cached, conventional = (isoplane("evaluate", *GRID, *WORK, *rules, *more) for more in ((), ("switch.cache=null",)))
    times = [
        int(re.search(r"^with messages_start=both sharing=cm02: completion (\d+) ns", shown.out, re.MULTILINE)[1])
        for shown in (cached, conventional)
    ]
    assert f"without caches {times[1] / times[0]:.3f} times as long" in cached.out
    # At every port only the first look-up of each destination misses.
    cold = isoplane("evaluate", *GRID, *WORK, *rules, "switch.cache.start=cold").out
    assert re.search(r"^look-ups that hit: 99\.\d+ % of \d+$", cold, re.MULTILINE)
    for words, message in (
        (("messages_start=receiver",), "messages_start='receiver': expected sender, both"),
        (("sharing=fair",), "sharing='fair': expected equal, cm02"),
    ):
        refused = isoplane("evaluate", *GRID, *WORK, *words)
        assert (refused.code, message in refused.err) == (2, True)
    assert "sharing=cm02: has no effect" in isoplane("evaluate", *GRID, "sharing=cm02").err


def test_an_evaluation_by_repeated_steps_shows_the_times_of_all_of_them(isoplane):
    work = (*WORK, "workload.eager_bytes=0", "workload.gflops=5000")
    whole, repeated = (isoplane("evaluate", *GRID, *work, *more).out for more in ((), ("steps=repeated",)))
    exact = int(re.search(r"^completion_ns +(\d+)", whole, re.MULTILINE)[1])
    shown = re.search(r"^by repeated steps: completion (\d+) ns .*periodic \(6 steps\)$", repeated, re.MULTILINE)
    assert int(shown[1]) == pytest.approx(exact, rel=1e-4)
    ratios = [re.search(r"without caches ([\d.]+) times", text)[1] for text in (whole, repeated)]
    assert ratios[0] == ratios[1]
    refused = isoplane("evaluate", *GRID, "steps=repeated", "workload=ring_all_reduce", "workload.processes=16")
    assert (refused.code, "steps=repeated: expected a workload that is a program" in refused.err) == (2, True)


def test_a_record_of_a_design_with_caches_is_verified_by_the_reference(isoplane, tmp_path):
    record = tmp_path / "cached.json"
    assert isoplane("evaluate", *GRID, "switch.cache.entries=4", f"save={record}").code == 0
    assert '"entries": 4' in record.read_text()
    assert isoplane("verify", f"record={record}").code == 0
    record.write_text(record.read_text().replace('"entries": 4', '"entries": 8'))
    assert isoplane("verify", f"record={record}").code != 0


def test_an_evaluation_shows_how_many_look_ups_hit_where_messages_may_miss(isoplane):
    work = ("workload=ring_all_reduce", "workload.processes=16", "workload.vector_bytes=64000")
    shown = [
        isoplane("evaluate", *GRID, *work, *words).out
        for words in (
            (),
            ("switch.cache.start=cold",),
            ("switch.cache.ways=1", "switch.cache.entries=1", "switch.cache.start=exchange"),
            ("switch.cache=null",),
        )
    ]
    completion = [
        int(next(line.split()[1] for line in text.splitlines() if line.startswith("completion_ns"))) for text in shown
    ]
    assert completion[0] < completion[1] < completion[3]
    assert completion[0] < completion[2] < completion[3]
    # Each node sends 30 messages to the next one, of which the first misses everywhere on its way.
    misses = [re.findall(r"look-ups that hit: (.*) % of \d+\n", text) for text in shown]
    assert misses[0] == misses[3] == []
    assert misses[1] == [f"{100 * 29 / 30:.3f}"]
    assert 100 * 29 / 30 <= float(misses[2][0]) + 1e-3 < 100
    assert [
        f"without caches {completion[3] / time:.3f} times as long" in text
        for time, text in zip(completion, shown, strict=True)
    ] == [True] * 3 + [False]
    assert ["exchange of one byte before" in text for text in shown] == [False, False, True, False]


def test_the_exchange_that_warms_caches_is_timed_with_empty_ones(isoplane, monkeypatch):
    work = ("workload=ring_all_reduce", "workload.processes=2")
    shown = isoplane("evaluate", *GRID, "network.shape=[2]", "switch.cache.start=exchange", *work).out
    # Three cables of 2 m, and two switches of which either misses; a byte at 200 Gbit/s takes 0.04 ns.
    assert f"exchange of one byte before, with empty caches: {3 * 10 + 2 * 102} ns\n" in shown
    monkeypatch.setattr("isoplane.runs.terminal.workload_times.MAX_EXCHANGE", 1)
    shown = isoplane("evaluate", *GRID, "network.shape=[2]", "switch.cache.start=exchange", *work).out
    assert "with empty caches: not simulated with 2 > 1 messages\n" in shown


def test_a_record_of_times_with_misses_is_verified_by_the_reference(isoplane, no_drawing, tmp_path):
    cubes = ("network=hypercube", "network.n=3", "network.nodes_per_switch=1", "switch=hirasawa_1")
    work = ("workload=all_to_all", "workload.processes=8", "workload.message_bytes=4000", "objective=completion")
    limits = ("switch.cache.start=cold", "stop.evaluations=3", "stop.seconds=null", f"hydra.run.dir={tmp_path / 'run'}")
    assert isoplane("search", *cubes, *work, *limits).code == 0
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert isoplane("verify", f"record={record}").code == 0
    text = record.read_text()
    completion = json.loads(text)["metrics"]["completion_ns"]
    record.write_text(text.replace(f'"completion_ns": {completion}', f'"completion_ns": {completion - 50}'))
    assert f"recorded {completion - 50}, recomputed {completion}" in isoplane("verify", f"record={record}").out
