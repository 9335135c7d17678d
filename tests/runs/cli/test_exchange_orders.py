"""All-to-all exchanges on the command line: orders of `evaluate`, phases of `export`, and files between them."""

import csv

from isoplane.models import Network
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.families.torus import Torus
from isoplane.objectives.exchanges import check_order

EXCHANGE = ("workload=all_to_all", "workload.message_bytes=1000")
TORUS = ("network=torus", "network.shape=[4,4]")


def rows(path):
    """Return the rows of a CSV file."""
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_order_decides_the_time_of_an_exchange(isoplane):
    times = {}
    for order in ("contention_free", "shift", "ring"):
        words = ("network=full_mesh", *EXCHANGE, "workload.processes=32", f"workload.order={order}")
        result = isoplane("evaluate", *words)
        assert (result.code, result.err) == (0, "")
        times[order] = int(next(line for line in result.out.splitlines() if "completion_ns" in line).split()[1])
        assert f"exchange in 31 phases, order {order}, at least 31 over these routes" in result.out
        assert ("free of contention" in result.out) == (order == "contention_free")
    assert times["contention_free"] < times["shift"] == times["ring"]


def test_any_routing_bounds_what_the_routes_reach(isoplane):
    # 240 messages of 1,000 bytes and 2 hops on average (16 nodes, none to itself: 512 hops) over 64 links are 8 a link.
    words = (*TORUS, *EXCHANGE, "workload.processes=16", "workload.order=shift", "any_routing=true")
    result = isoplane("evaluate", *words)
    assert (result.code, result.err) == (0, "")
    shown = {line.rsplit(maxsplit=2)[0]: line.split()[-2] for line in result.out.splitlines() if line.endswith(" ns")}
    assert shown["no routing is below"] == shown["over the best routes found"] == "640"
    assert shown["over the routes of the network"] == "960"
    assert "exchange in 15 phases, at least 15 over any routes" in result.out
    assert "at least 3.75 times as long as a shard takes on a link, over the links out of 15 nodes" in result.out


def test_an_exported_order_is_the_one_that_evaluate_reads(isoplane, tmp_path):
    words = (*TORUS, "format=phases", "order=searched", "evaluations=2000", "hydra.run.dir=out")
    result = isoplane("export", *words)
    assert (result.code, result.err) == (0, "")
    found = rows(tmp_path / "out" / "phases" / "phases.csv")
    phases = 1 + max(int(row["phase"]) for row in found)
    destination = [[-1] * 16 for _ in range(phases)]
    for row in found:
        destination[int(row["phase"])][int(row["source"])] = int(row["destination"])
    assert check_order(Network(Torus(shape=(4, 4))), ExchangeOrder("read", range(16), destination)).contention_free
    assert rows(tmp_path / "out" / "phases" / "collisions.csv") == []
    words = (*TORUS, *EXCHANGE, "workload.processes=16", "workload.order=out/phases/phases.csv")
    result = isoplane("evaluate", *words)
    assert f"exchange in {phases} phases, order phases, at least 15 over these routes: free of" in result.out


def test_the_same_export_has_the_same_bytes(isoplane, tmp_path):
    for folder in ("one", "other"):
        isoplane("export", *TORUS, "format=phases", "order=searched", "evaluations=500", f"hydra.run.dir={folder}")
    one, other = ((tmp_path / folder / "phases" / "phases.csv").read_bytes() for folder in ("one", "other"))
    assert one == other


def test_collisions_of_an_order_are_exported(isoplane, tmp_path):
    isoplane("export", "network=full_mesh", "format=phases", "order=shift", "hydra.run.dir=out")
    found = rows(tmp_path / "out" / "phases" / "collisions.csv")
    assert found[0] == {"phase": "1", "link": "switch 0 port 0 to switch 16", "messages": "2"}


def test_an_all_gather_is_exported_with_its_chunks_and_collisions(isoplane, tmp_path):
    words = ("network=torus", "network.shape=[4]", "format=[phases,msccl]", "collective=all_gather")
    result = isoplane("export", *words, "order=recursive_doubling", "hydra.run.dir=out")
    assert (result.code, result.err) == (0, "")
    found = rows(tmp_path / "out" / "phases" / "phases.csv")
    assert [row["chunks"] for row in found] == ["1"] * 4 + ["2"] * 4
    assert rows(tmp_path / "out" / "phases" / "collisions.csv")[0]["phase"] == "1"  # two hops on the same ring
    assert (tmp_path / "out" / "msccl" / "allgather.xml").read_text().count("<gpu ") == 4


def test_an_exported_order_is_exported_again_from_its_file(isoplane, tmp_path):
    for order, folder in (("xor", "one"), ("one/phases/phases.csv", "other")):
        assert isoplane("export", *TORUS, "format=phases", f"order={order}", f"hydra.run.dir={folder}").code == 0
    one, other = ((tmp_path / folder / "phases" / "phases.csv").read_bytes() for folder in ("one", "other"))
    assert one == other
