"""Exported subnets for tests, read without the code that writes them, and run with the commands of their README."""

import re
import subprocess

from isoplane.models import Design
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named
from tests.tools import HANG_S, PATH

# OpenSM tries for ever to load tables that it cannot use; this ends it after the first time. `timeout` takes SIGALRM as
# the end of its time.
UNTIL_REFUSED = """(once {words} & sm=$!
while kill -0 $sm 2> /dev/null && ! grep -qs "No routing engine able" run/opensm.log; do sleep 0.05; done
kill -ALRM $sm 2> /dev/null; wait $sm; true)"""


def exported(network, folder, name="opensm", **options):
    """Export a network; return the folder of the format."""
    given = Exported(Design(network), {"id": "test"}, options)
    export(given, {name: exporter_named(name)}, folder)
    return folder / name


def commands(folder, plane):
    """The commands of the README for a plane."""
    block = (folder / "README").read_text(encoding="utf-8").split(f"\nplane{plane}: ")[1].split("\nplane")[0]
    return [line.strip() for line in block.splitlines()[1:] if line.startswith("  ")]


def run_readme(folder, plane, traces=(), before="true", tools=()):
    """Run the commands of the README for a plane, ibtracert for pairs of LIDs, and other tools; return the output.

    The command `before` runs in the folder of the plane before all others but the first. Nothing has a time limit that
    a busy machine could exceed.
    """
    first, *rest, last = (_unhurried(each) for each in commands(folder, plane))
    more = [f"echo trace {a} {b}; sim ibtracert {a} {b}" for a, b in traces] + [f"sim {tool} 2>&1" for tool in tools]
    script = "\n".join([first, before, *rest, *more, last, "wait $! 2> /dev/null", "true"])
    done = subprocess.run(
        ["timeout", "-k", "1", str(HANG_S), "bash", "-c", script],
        cwd=folder,
        env={"PATH": PATH},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _unhurried(command):
    """A command of the README without its time limit."""
    if command.startswith("sim() {"):
        once = command.replace("sim()", "once()").replace("timeout -k 9 300", f"exec timeout -s KILL {HANG_S}")
        return f"{command.replace('timeout -k 9 300', f'timeout -s KILL {HANG_S}')}\n{once}"
    if command.startswith("sim opensm "):
        return UNTIL_REFUSED.format(words=command.removeprefix("sim "))
    return command


def traced_paths(output):
    """The paths of ibtracert by pair of LIDs: the name and the port of every device that a packet leaves, in order."""
    found = {}
    for block in output.split("\ntrace ")[1:]:
        pair, *lines = block.splitlines()
        devices = re.findall(r'^From \w+ .*"(.*)"$|^\[\d+\] -> \w+ port .*"(.*)"$', "\n".join(lines), re.M)
        ports = [int(port) for port in re.findall(r"^\[(\d+)\] ->", "\n".join(lines), re.M)]
        names = [first or second for first, second in devices]
        found[tuple(map(int, pair.split()))] = list(zip(names, ports, strict=False)), names[-1] if names else None
    return found


def our_path(network, plane_number, source, destination):
    """The same for two node links, from the routes of the network."""
    plane = network.planes[plane_number]
    rails = [sum(int(each.starts[node + 1] - each.starts[node]) for each in network.planes[:plane_number])
             for node in range(plane.nodes)]  # fmt: skip
    start, link = network.route_links([source], [destination], plane_number)
    first = network.plane_links[plane_number].first
    cabled = [(s, p) for s, row in enumerate(plane.topology.peer.tolist()) for p, other in enumerate(row) if other >= 0]
    hops = [cabled[number - first] for number in link[start[0] : start[1]] if number - first < len(cabled)]
    node = int(plane.node[source])
    own = f"N{node}", rails[node] + source - int(plane.starts[node]) + 1
    at_end = [k for k, switch in enumerate(plane.node_switch.tolist()) if switch == plane.node_switch[destination]]
    port = (
        1 + max((p for s, p in cabled if s == plane.node_switch[destination]), default=-1) + at_end.index(destination)
    )
    last = int(plane.node_switch[destination]), port if plane.node_port is None else int(plane.node_port[destination])
    return [own, *((f"P{plane_number}-S{s}", p + 1) for s, p in [*hops, last])], f"N{int(plane.node[destination])}"
