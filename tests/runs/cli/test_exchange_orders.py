"""All-to-all exchanges on the command line: orders of `evaluate`, phases of `export`, and files between them."""

import csv

from isoplane.models import Network
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.families.torus import Torus
from isoplane.objectives.exchanges import check_order
from tests.cases import for_each

from .conftest import files

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


def test_any_routing_needs_a_workload_and_packets(isoplane):
    for words, given in ((TORUS, "no workload"), (("network=hybrid", "workload=stencil"), "a network with circuits")):
        result = isoplane("evaluate", *words, "any_routing=true")
        assert result.code == 2
        assert result.err.startswith(f"isoplane evaluate: any_routing=true: {given}; expected a workload on a network")


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


@for_each(
    ("words", "message"),
    [
        (("order=best",), "order=best: expected contention_free, ring, searched, shift, xor"),
        ((), "order=contention_free: none is known for network=torus; allowed with network=direct_hypercube,"),
        (("order=searched", "evaluations=0"), "evaluations=0: expected an integer of at least 1"),
        (("network.shape=[3,3]", "order=xor"), "order=xor: 9 processes; expected a power of two"),
    ],
)
def test_orders_that_cannot_be_exported_leave_nothing(refuse, tmp_path, words, message):
    result = refuse("export", "network=torus", "format=phases", *words, "hydra.run.dir=out")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"isoplane export: {message}")
    assert files(tmp_path) == []


HEADER = "phase,source,destination\n"


@for_each(
    ("text", "message"),
    [
        ("0,1\n", "another first line; expected phase,source,destination"),
        (HEADER, "no messages; expected a line per message"),
        (f"{HEADER}0,0\n", "line 2 is 0,0; expected a phase below 65536 and two processes below 4096"),
        (f"{HEADER}0,0,x\n", "line 2 is 0,0,x; expected a phase"),
        (f"{HEADER}0,0,4096\n", "line 2 is 0,0,4096; expected a phase"),
        (f"{HEADER}0,0,1\n0,0,2\n", "line 3 sends from 0 again; expected once in a phase"),
        (f"{HEADER}0,0,1\n", "order: 0 messages from process 1 to 0; expected 1"),
        (f"{HEADER}0,0,1\n0,1,0\n", "an order of 2 processes; expected 16"),
        ("\xff", "another first line"),
    ],
)
def test_damaged_files_of_phases_are_refused(refuse, tmp_path, text, message):
    (tmp_path / "phases.csv").write_text(text)
    result = refuse("evaluate", *TORUS, *EXCHANGE, "workload.processes=16", "workload.order=phases.csv")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("isoplane evaluate: workload.order=phases.csv: ")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_orders_that_a_workload_cannot_have_are_refused(refuse):
    for words, message in (
        ((*TORUS, "workload.order=tree"), "workload.order='tree': expected contention_free, ring, shift, xor, or a fi"),
        (
            (*TORUS, "workload.order=missing.csv"),
            "workload.order=missing.csv: No such file or directory; expected a",
        ),
        (("network=full_mesh", "workload.order=contention_free"), "workload.order=contention_free: an order of 32 pro"),
        (
            ("network=hybrid", "workload.processes=128", "workload.order=contention_free"),
            "workload.order='contention_free': expected ring, shift, xor, or a file that ends in .csv",
        ),
    ):
        result = refuse("evaluate", "workload=all_to_all", *words)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"isoplane evaluate: {message}")


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


@for_each(
    ("words", "message"),
    [
        (("collective=broadcast",), "collective=broadcast: expected all_to_all, all_gather"),
        (("collective=all_gather", "order=tree"), "order=tree: expected contention_free, recursive_doubling, ring,"),
        (("order=missing.csv",), "order=missing.csv: No such file or directory; expected a file"),
        (("order=xor", "msccl.max_blocks=15"), "format=msccl: needs 16 thread blocks for each of 16 ranks; expected "),
        (("order=xor", "msccl.protocol=LL256"), "msccl.protocol=LL256: expected Simple, LL, LL128"),
        (("order=xor", "msccl.max_steps=0"), "msccl.max_steps=0: expected an integer from 1 to 32767"),
        (("order=xor", "msccl.ordered=1"), "msccl.ordered=1: expected true or false"),
        (("msccl.steps=1",), "msccl.steps: unknown; expected max_awaited_block,"),
    ],
)
def test_collectives_that_cannot_be_exported_leave_nothing(refuse, tmp_path, words, message):
    result = refuse("export", *TORUS, "format=msccl", *words, "hydra.run.dir=out")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"isoplane export: {message}")
    assert files(tmp_path) == []
