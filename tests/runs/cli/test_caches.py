"""Networks whose switches have routing-table caches, on the command line."""

import pytest

from tests.cases import for_each

GRID = ("network=torus", "network.shape=[4,4]", "network.cable_m=2", "network.node_cable_m=2", "switch=hirasawa_1")
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


def test_a_record_of_a_design_with_caches_is_verified_by_the_reference(isoplane, tmp_path):
    record = tmp_path / "cached.json"
    assert isoplane("evaluate", *GRID, "switch.cache.entries=4", f"save={record}").code == 0
    assert '"entries": 4' in record.read_text()
    assert isoplane("verify", f"record={record}").code == 0
    record.write_text(record.read_text().replace('"entries": 4', '"entries": 8'))
    assert isoplane("verify", f"record={record}").code != 0


@for_each(
    ("words", "message"),
    [
        (("switch.cache.entries=8",), "switch.cache.entries=8: times of a workload take the delay of a switch as one"),
        (("switch.cache.start=cold",), "switch.cache.start=cold: times of a workload take the delay of a switch as"),
        (
            ("switch.cache.ways=1", "switch.cache.entries=20"),
            "switch.cache.ways=1: times of a workload take the delay of a switch as one number, but",
        ),
    ],
)
def test_times_need_caches_that_miss_nothing(isoplane, words, message):
    refused = isoplane("evaluate", *GRID, *WORK, *words)
    assert refused.code == 2
    assert message in refused.err
