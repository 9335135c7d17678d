"""Programs of other projects that tests run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGES = {
    "ibsim": "ibsim-utils",
    "opensm": "opensm",
    "ibtracert": "infiniband-diags",
    "ibnetdiscover": "infiniband-diags",
    "ibdmchk": "ibutils",
    "slurmctld": "slurmctld",
    "scontrol": "slurm-client",
    "smpicc": "libsimgrid-dev",
    "smpirun": "libsimgrid-dev",
    "chromium": "chromium",
    "pdftotext": "poppler-utils",
    "dot": "graphviz",
    "pdflatex": "texlive-latex-base",
    "neato": "graphviz",
}
REQUIRED_IN_CI = {"chromium", "poppler-utils"}  # packages without which CI fails: all it says of pages rests on them
HANG_S = 600  # far more than any of them takes on a busy machine; what still runs by then has hung
NO_SIMGRID = "#if !__has_include(<simgrid/s4u.hpp>)\n#error absent\n#endif\n"
SYSTEM_FOLDERS = "/usr/sbin:/sbin"  # often missing in the PATH of users
PATH = f"{os.environ.get('PATH', os.defpath)}:{SYSTEM_FOLDERS}"


def require_tools(*names: str) -> dict[str, Path]:
    """Return the paths of programs by name; skip the test, with the reason, if one of them is not installed.

    In CI, which sets the variable ``CI``, the test fails without one of the packages `REQUIRED_IN_CI`.
    """
    found = {name: shutil.which(name, path=PATH) for name in names}
    absent = sorted({PACKAGES[name] for name, path in found.items() if path is None})
    if os.environ.get("CI") and REQUIRED_IN_CI & set(absent):
        pytest.fail(f"{', '.join(absent)} not installed; CI requires {', '.join(sorted(REQUIRED_IN_CI))}")
    if absent:
        pytest.skip(f"{', '.join(absent)} not installed; `make tools` installs Debian's packages")
    return {name: Path(path) for name, path in found.items() if path is not None}


def install_package(folder: Path, monkeypatch: pytest.MonkeyPatch, group: str, **points: str) -> None:
    """Install a package that has nothing but entry points, given as name=value, and put its folder into the path."""
    about = folder / "own_package_of_a_test-1.0.dist-info"
    shutil.rmtree(about, ignore_errors=True)
    about.mkdir(parents=True)
    lines = (f"{name} = {value}\n" for name, value in points.items())
    (about / "entry_points.txt").write_text("".join([f"[{group}]\n", *lines]), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)


def compile_with_simgrid(source: Path, program: Path) -> None:
    """Compile a program that uses SimGrid; skip the test, with the reason, without a compiler or SimGrid."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    if subprocess.run([compiler, "-E", "-x", "c++", "-"], input=NO_SIMGRID, text=True, capture_output=True).returncode:
        pytest.skip("SimGrid is not installed; `make tools` installs Debian's package libsimgrid-dev")
    subprocess.run([compiler, "-std=c++17", source, "-o", program, "-lsimgrid"], check=True)
