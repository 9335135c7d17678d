"""Times and bytes of the fluid model for workloads of up to a million messages, under every instruction set.

All-to-all exchanges of 256 nodes of a 16 x 16 torus, some of them with barriers between phases. For each, a line shows
the number of messages, the seconds to list them, to prepare the model and to compute a run, the memory of the process
so far, and a digest of the arrival times of all messages. With --check the exit code is 1 if two instruction sets give
different digests, or if a workload of a few thousand messages differs from the reference.
"""

import argparse
import hashlib
import os
import resource
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from time import monotonic

from isoplane.models import Network
from isoplane.models.families.torus import Torus
from isoplane.models.placement import by_switch
from isoplane.models.workloads import all_to_all
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.objectives.reference.fluid_times import plane_times

SIDE = 16
ITERATIONS = (1, 4, 16)  # 65,280 to 1,044,480 messages
ISAS = ("scalar", "avx2", "avx512")


def timed(iterations: int, *, synchronised: bool) -> str:
    """Return the line of a workload; the digest is the last word."""
    work = replace(all_to_all(SIDE * SIDE, 10_000, iterations), synchronised=synchronised)
    moments = [monotonic()]
    messages = work.message_list()
    moments.append(monotonic())
    model = NetworkFluidModel(Network(Torus(shape=(SIDE, SIDE))), messages)
    moments.append(monotonic())
    arrivals = model.arrivals_ns()
    moments.append(monotonic())
    seconds = " ".join(f"{after - before:6.2f}" for before, after in pairwise(moments))
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    digest = hashlib.sha256(arrivals.tobytes()).hexdigest()[:16]
    kind = "barriers" if synchronised else "phases"
    return f"{messages.messages:8} {kind:8} {seconds} s {megabytes:5} MB {digest}"


def agrees_with_reference() -> bool:
    """Whether the model and the reference give the same nine times for an exchange of 64 nodes, 4,032 messages."""
    network, agree = Network(Torus(shape=(8, 8))), True
    for synchronised in (False, True):
        messages = replace(all_to_all(64, 10_000), synchronised=synchronised).message_list()
        found, expected = NetworkFluidModel(network, messages).times(), plane_times(network, messages, by_switch(64))
        agree &= (found.completion_ns, found.completion_min_ns, found.completion_max_ns) == (
            expected["completion_ns"],
            expected["completion_min_ns"],
            expected["completion_max_ns"],
        )
    return agree


def digests(isa: str, largest: int) -> list[str]:
    """Print the lines of an instruction set, computed in a process of its own, and return the digests."""
    command = [sys.executable, __file__, "--largest", str(largest), "--isa", isa]
    result = subprocess.run(command, env={**os.environ, "ISOPLANE_ISA": isa}, capture_output=True, text=True)
    if "this processor lacks it" in result.stderr:
        print(f"{isa}: not on this processor")
        return []
    print(f"{isa}:\n{result.stdout}{result.stderr}", end="", flush=True)
    return [line.split()[-1] for line in result.stdout.splitlines()]


def main() -> int:
    """Print the lines of all instruction sets, or of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=max(ITERATIONS), help="iterations of the largest workload")
    parser.add_argument("--isa", choices=ISAS, help="compute in this process, with the instruction set in use")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.isa:
        for iterations in (each for each in ITERATIONS if each <= options.largest):
            for synchronised in (False, True):
                print(timed(iterations, synchronised=synchronised), flush=True)
        return 0
    found = [digests(isa, options.largest) for isa in ISAS]
    same = len({tuple(each) for each in found if each}) == 1
    print("every instruction set gives the same bytes" if same else "instruction sets differ")
    return int(options.check and not (same and agrees_with_reference()))


if __name__ == "__main__":
    sys.exit(main())
