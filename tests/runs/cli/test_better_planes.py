"""Second planes that are not linear, and better than those of a design, are named where they are known."""

import json
import re

from isoplane.runs.records import best_folder, read_record
from tests.cases import for_each

KNOWN = r"second planes that are not linear are known with ASPL ([\d.]+) \(here ([\d.]+)\): isoplane (evaluate .+)"


@for_each("family", ["hypercube", "folded_hypercube"])
def test_the_line_has_the_number_that_its_command_prints(isoplane, family):
    evaluated = isoplane("evaluate", f"network={family}", "network.n=6", "record=best")
    better, here, command = re.fullmatch(KNOWN, evaluated.out.splitlines()[-1]).groups()
    aspl = next(line.split()[1] for line in evaluated.out.splitlines() if line.startswith("aspl "))
    found = json.loads(isoplane(*command.split(), "format=json").out)[0]["aspl"]
    assert (float(better), here) == (round(found, 5), aspl)
    assert float(better) < float(here)


def test_searches_and_their_pages_say_it_and_networks_without_better_planes_nothing(isoplane, tmp_path):
    searched = isoplane("search", "network.n=6", "stop.evaluations=10", "objective=aspl", "hydra.run.dir=run")
    (line,) = (line for line in searched.out.splitlines() if re.fullmatch(KNOWN, line))
    assert line in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    with best_folder() as folder:
        (path,) = (
            path for path in folder.glob("relabelled-256-aspl-*") if not read_record(path)["network"]["plane"]["folded"]
        )
        relabelled = isoplane("evaluate", f"record={path}")
    one_plane = isoplane("evaluate", "network.n=6", "network.planes=1")
    small = isoplane("evaluate", "network.n=5", "network.generators=identical")  # no record of that size
    assert [(run.code, "not linear" in run.out) for run in (relabelled, one_plane, small)] == [(0, False)] * 3
