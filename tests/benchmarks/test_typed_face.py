"""A user's file is checked against `isoplane` by mypy, and by pyright where it is installed; nothing of it is `Any`."""

import json
import os
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import isoplane as ip

ROOT = Path(__file__).parents[2]
# An editable installation is found by Python alone: the same tree of links stands for it. A wheel is checked as it is.
PLACES = [str(ROOT / "typings")] if Path(ip.__file__).is_relative_to(ROOT / "face") else []
SOURCE = """
import numpy as np

import isoplane as ip


def names(columns: dict[str, list[str | int | float | bool | None]]) -> list[str]:
    return list(columns)


sizes: bool = ip.find(nodes=64, ports=9, diameter=3).is_target_reached
search = ip.find(network="hypercube", n=4, objective="aspl", stop={"seconds": 2}, **{"fleet.address": None})
scores = [design["aspl"] for design in search]
best = search.best
numbers: dict[str, float | None] = best.metrics
first: ip.Result = search.front[0]
rows: list[object] = [row["delay_ns"] for row in ip.compare(nodes=32, ports=8).rows]
differences: tuple[ip.Difference, ...] = ip.verify(best)
text: str = differences[0].field + best.title + best.status
files = ip.export(best, ["edges", "graphml"], "folder", routes=True)
size: int = files[0].stat().st_size
runs = ip.simulate("cube.json", loads=[0.1, 0.2])
frame: list[str] = runs.to_frame(names)
batch = ip.evaluate_batch(np.zeros((1, 3), dtype=np.uint32))
dimension: int = batch.n
named: str = ip.list_networks()["torus"]
network: ip.Network | None = None if best.design is None else best.design.network
ip.show(ip.load("run"))
"""
WRONG = """
import isoplane as ip

ip.find(stop=object())
ip.evaluate(3)
number: int = ip.load("cube.json")
ip.fnid()
"""


def user_file(folder, text):
    path = folder / "user.py"
    path.write_text(text)
    return path


def mypy(path, *flags):
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", *flags, str(path)]
    environment = {"MYPYPATH": ":".join(PLACES), "PATH": "", "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache" / "users")}
    return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=path.parent, check=False)


def test_mypy_finds_no_error_and_no_any(tmp_path):
    found = mypy(user_file(tmp_path, SOURCE), "--disallow-any-expr")
    assert found.stdout.startswith("Success"), found.stdout + found.stderr


def test_mypy_finds_what_is_wrong(tmp_path):
    found = mypy(user_file(tmp_path, WRONG))
    assert [line.split(":")[1] for line in found.stdout.splitlines()[:-1]] == ["4", "5", "6", "7"], found.stdout


@pytest.mark.parametrize("name", ["pyright", "basedpyright"])
@pytest.mark.parametrize(("text", "lines"), [(SOURCE, []), (WRONG, [3, 4, 5, 6])])
def test_pyright_finds_the_same(tmp_path, name, text, lines):
    checker = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if checker is None:
        pytest.skip(f"{name} is not installed")
    path = user_file(tmp_path, text)
    settings = {"extraPaths": PLACES, "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    settings |= {"venvPath": str(Path(sys.prefix).parent), "venv": Path(sys.prefix).name}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    words = [checker, "--outputjson", str(path)]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False).stdout)
    errors = [each["range"]["start"]["line"] for each in found["generalDiagnostics"] if each["severity"] == "error"]
    assert sorted(set(errors)) == lines, found["generalDiagnostics"]


def test_the_package_says_that_it_is_typed():
    assert resources.files("isoplane").joinpath("py.typed").is_file()
