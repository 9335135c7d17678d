"""How long every verb is silent on the largest inputs: ``nice python benchmarks/progress.py --check``.

Each input runs in a process of its own, which gets SIGINT every 2 s if it takes longer than ``--seconds``. A line says
how long it took to the first output, the longest silence later, and how long it ran on after the signal. With
``--check`` the exit code is 1 if the first takes more than 5 s, or one of the others more than 10 s, or if a run ends
with a traceback.
"""

import argparse
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # listings of fabrics are a part of the tests

PROGRAM = Path(sys.executable).with_name("isoplane")
FIRST_S, LATER_S = 5.0, 10.0
HANG_S = 60.0  # after the signal; then a run is killed
AGAIN_S = 2.0  # the first SIGINT lets a search end its round
TREE = "network=fat_tree network.switch_ports=72"  # the largest: 93,312 nodes, 6,480 switches
TORUS = "network=torus network.shape=[1024,1024]"  # the most switches of a grid
TABLES = "network=random_regular network.switches=16384 network.degree=32"  # the most rows of a table of all pairs
FLY = "network=slim_fly network.q=89"
INPUTS: dict[str, tuple[str, ...]] = {
    "search": (
        "network.n=16 layout=none",
        "network.n=16 layout=none objective=front objective.metrics=[aspl,max_traffic]",
        "network.n=10 strategy=exact",
        "network.n=10 network.nodes_per_switch=1 objective=completion workload=all_to_all workload.processes=1024",
        "network=hybrid network.groups=32 workload=dense workload.processes=1024",
        "network=optical_overlay network.packet.leaf_switches=64 network.packet.spine_switches=8"
        " network.packet.nodes_per_leaf=16 workload=dense workload.processes=1024",
        "network=hybrid network.groups=32 network.placement=by_switch objective=bottleneck workload=dense"
        " workload.processes=1024 strategy=program",
    ),
    "evaluate": (
        "network=torus network.shape=[70000]",
        TORUS,
        f"{TABLES} network.nodes_per_switch=32",
        f"{FLY} network.nodes_per_switch=64",
        "network=polar_fly network.q=127 network.nodes_per_switch=64",
        TREE,
        "network=rdt network.side=128",
        "network=torus network.shape=[128,128,64] workload=ring_all_reduce workload.processes=4000",
        f"{TREE} workload=all_to_all workload.processes=4096",
        "network=torus network.shape=[32,32] workload=npb workload.processes=1024"
        " any_routing=true",
    ),
    "verify": (
        "network.n=16 network.generators=identical layout=none",
        TREE,
        f"{FLY} network.nodes_per_switch=64",
        "network=torus network.shape=[70000]",
        "network=hybrid network.groups=32 workload=dense workload.processes=1024",
    ),
    "simulate": (
        f"{TREE} measurement=rough",
        f"{FLY} network.nodes_per_switch=64 loads=[0.5]",
        "network=torus network.shape=[512,512]",
        "network=torus network.shape=[32,32] workload=ring_all_reduce workload.processes=1024",
        "network=torus network.shape=[32,32] workload=npb workload.processes=1024",
        "network=hybrid network.groups=32 network.circuits=[[0,32]] workload=dense workload.processes=1024",
        "network=torus network.shape=[1024] placement=searched workload=stencil workload.shape=[32,32]",
    ),
    "report": (
        TREE,
        f"{FLY} network.nodes_per_switch=64",
        TABLES,
        "network=torus network.shape=[128,128]",
        "network=hyperx network.shape=[64,64] network.nodes_per_switch=32",
        "network.n=16 network.generators=identical",
        "network=hybrid network.groups=32 network.circuits=[[0,32]] workload=dense workload.processes=1024",
    ),
    "reproduce": (
        "experiment=hosomi/fig3",
        "experiment=hosomi/fig5",
        "experiment=hosomi/fig9",
        "experiment=shibamura/fig4",
        "experiment=shibamura/fig12",
        "experiment=shimizu/fig7",
        "experiment=shimizu/fig11",
        "experiment=shimizu/fig15",
        "experiment=takizawa/fig2",
        "experiment=takizawa/fig2_torus",
    ),
    "compare": (
        "nodes=131072 ports=64",
        "nodes=131072 ports=36 node_ports=8 planes=[1,2,4,8]",
        "nodes=20000 ports=24",
        "nodes=10000 ports=40 families=[torus,hyperx,random_regular,xpander] failures=all",
    ),
    "export": (
        f"{TREE} format=[edges,graphml,dot,json,netbox]",
        f"{TREE} format=[cabling,slurm] layout=floor network.assumed_cable_m=null",
        f"{FLY} format=[booksim,evalnet]",
        f"{FLY} format=[opensm]",
        "network=torus network.shape=[2048] format=[simgrid,ns3,sst_merlin]",
        "network=torus network.shape=[32,32] format=[source_routes,plane_table]",
        "network=torus network.shape=[2048] format=json routes=true",
        "network=torus network.shape=[512] format=phases order=searched evaluations=10000000",
        "network=torus network.shape=[64,64] format=[goal,tit] workload=all_to_all workload.processes=4096",
        f"{TORUS} format=[edges]",
    ),
    "import": ("file=ring.edges", "file=tree.edges", "file=tree.lst", "file=tree.txt", "file=grid.graphml"),
    "check-cables": (
        f"{TREE} found=tree.txt",
        f"{TREE} found=tree.txt identify=cables",
        f"{TREE} found=tree.lst ports=ignore save=differences.json",
        "network=torus network.shape=[128,128] found=tree.txt identify=cables ports=ignore",
    ),
    "best": ("", "n=16"),
}  # fmt: skip


@dataclass(frozen=True)
class Watched:
    """The silences of a run in s: to its first output, the longest one later, and after it was interrupted."""

    first_s: float
    later_s: float
    end_s: float
    code: int
    last: str  # line

    @property
    def is_wrong(self) -> bool:
        """Whether a limit is broken."""
        late = self.first_s > FIRST_S or max(self.later_s, self.end_s) > LATER_S
        return late or self.code not in (0, 2, 3, 4, 5, 130)


def watched(words: Sequence[str | Path], folder: Path, limit_s: float) -> Watched:
    """Run a program in a folder, and interrupt it after a time."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    began, moments, text, interrupted_at = time.monotonic(), [], b"", None
    due = began + limit_s
    try:
        while True:
            if select.select([process.stdout], [], [], max(due - time.monotonic(), 0))[0]:
                read = os.read(process.stdout.fileno(), 1 << 16)
                if not read:
                    break
                moments.append(time.monotonic())
                text = (text + read)[-2000:]
            elif time.monotonic() > began + limit_s + HANG_S:
                process.kill()
            else:
                interrupted_at = interrupted_at or time.monotonic()
                process.send_signal(signal.SIGINT)
                due = time.monotonic() + AGAIN_S
        code, ended = process.wait(), time.monotonic()
    finally:
        process.kill()  # if this script itself is interrupted
    stop = ended if interrupted_at is None else interrupted_at
    moments = [began, *(moment for moment in moments if moment < stop), stop]
    silences = [later - earlier for earlier, later in pairwise(moments)]
    lines = text.decode(errors="replace").strip().splitlines() or [""]
    return Watched(silences[0], max(silences[1:], default=0.0), ended - stop, code, lines[-1])


def tree_cables(ports: int) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """Return the cables of a three-level fat-tree, from device and port to device and port."""
    half = ports // 2
    cables = []
    for pod in range(ports):
        for edge in range(half):
            leaf = pod * half + edge
            cables += [((f"L{leaf}", k + 1), (f"N{leaf * half + k}", 1)) for k in range(half)]
            cables += [((f"L{leaf}", half + k + 1), (f"A{pod * half + k}", edge + 1)) for k in range(half)]
        for up in range(half):
            cables += [((f"A{pod * half + up}", half + k + 1), (f"C{up * half + k}", pod + 1)) for k in range(half)]
    return cables


def edges_text(cables: Sequence[tuple[tuple[str, int], tuple[str, int]]]) -> str:
    """Return cables as an edge list."""
    return "".join(f"{a} {b}\n" for (a, _), (b, _) in cables)


def graphml_text(switches: int, degree: int) -> str:
    """Return a circulant graph as GraphML."""
    nodes = "".join(f'<node id="n{a}"/>\n' for a in range(switches))
    edges = "".join(
        f'<edge source="n{a}" target="n{(a + step + 1) % switches}"/>\n'
        for a in range(switches)
        for step in range(degree // 2)
    )
    begin = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    return f"{begin}\n{nodes}{edges}</graph></graphml>\n"


FILES: dict[str, Callable[[], str]] = {
    "ring.edges": lambda: "".join(f"{a} {(a + 1) % (1 << 20)}\n" for a in range(1 << 20)),
    "tree.edges": lambda: edges_text(tree_cables(72)),
    "tree.txt": lambda: str(import_module("tests.runs.formats.fabrics").discovery_text(tree_cables(72), 72)),
    "tree.lst": lambda: str(import_module("tests.runs.formats.fabrics").dump_text(tree_cables(72), 72)),
    "grid.graphml": lambda: graphml_text(1 << 14, 32),
}


def prepare(folder: Path, words: str) -> None:
    """Write the files that words name, unless they exist."""
    for name in re.findall(r"=([\w.]+)", words):
        if name in FILES and not (folder / name).exists():
            (folder / name).write_text(FILES[name](), encoding="utf-8")


def main() -> int:
    """Run all inputs, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbs", nargs="+", choices=INPUTS, default=list(INPUTS))
    parser.add_argument("--inputs", default="", help="only those with this text")
    parser.add_argument("--seconds", type=float, default=40.0, help="until a run is interrupted")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a limit is broken")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for verb in arguments.verbs:
            for words in INPUTS[verb]:
                if arguments.inputs not in words:
                    continue
                prepare(folder, words)
                result = watched([PROGRAM, verb, *words.split()], folder, arguments.seconds)
                wrong += result.is_wrong
                times = f"{result.first_s:6.1f} {result.later_s:6.1f} {result.end_s:6.1f}"
                print(f"{'WRONG' if result.is_wrong else 'ok':<5} {times}  {result.code:>4}  {verb} {words}")
                print(f"      {result.last[:150]}", flush=True)
    return 1 if arguments.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
