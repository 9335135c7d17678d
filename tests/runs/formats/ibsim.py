"""Subnets that ibsim simulates, for tests of what InfiniBand tools list."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from tests.tools import HANG_S, PATH, require_tools

from .fabrics import guids, kind_of


def ibsim_text(cables, names=None, guid=None):
    """A fabric file of ibsim for cables between named devices; `names` replaces names, `guid` GUIDs."""
    peers, shown = {}, names or {}
    numbers = guid or guids(dict.fromkeys(device for pair in cables for device, _ in pair))
    for pair in cables:
        for (device, port), other in (pair, pair[::-1]):
            peers.setdefault(device, {})[port] = other
    lines = []
    for device, ports in peers.items():
        adapter, own = kind_of(device) == "adapter", numbers[device]
        lines += ["", f"caguid={own:#x}" if adapter else f"switchguid={own:#x}({own:x})"]
        lines.append(f'{"Hca" if adapter else "Switch"} {max(ports)} "{shown.get(device, device)}"')
        for port, (other, other_port) in sorted(ports.items()):
            far = shown.get(other, other)
            lines.append(f'[{port}]{f"({own + port:x})" if adapter else ""} "{far}"[{other_port}]')
    return "\n".join([*lines, ""])


@contextmanager
def simulated_subnet(folder, cables, host="N0", guid=None):
    """Simulate a fabric in a folder; the result is a function that runs a tool of InfiniBand in it, at a host."""
    require_tools("ibsim", "opensm", "ibnetdiscover")
    (preloaded,) = Path("/usr/lib").glob("*/umad2sim/libumad2sim.so")  # of the package of ibsim
    (folder / "net").write_text(ibsim_text(cables, guid=guid), encoding="utf-8")
    own = os.environ | {
        "PATH": PATH,
        "IBSIM_SOCKNAME": f"isoplane-{os.getpid()}-{folder.name}",
        "OSM_CACHE_DIR": str(folder),
        "OSM_TMP_DIR": str(folder),
    }
    client = own | {"LD_PRELOAD": str(preloaded), "SIM_HOST": host}

    def run(*words):
        return subprocess.run(words, env=client, cwd=folder, capture_output=True, text=True, timeout=HANG_S)

    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(["ibsim", "-s", "net"], env=own, cwd=folder, **quiet)
    try:
        deadline = time.monotonic() + HANG_S
        while run("ibnetdiscover").returncode and time.monotonic() < deadline:
            time.sleep(0.05)
        yield run
    finally:
        process.kill()
        process.wait()
