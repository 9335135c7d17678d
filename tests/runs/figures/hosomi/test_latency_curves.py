import csv
from pathlib import Path

import pytest

from isoplane.models import Design, dual_cube
from isoplane.objectives import exact_metrics, metrics
from isoplane.runs.figures.hosomi.designs import OBJECTIVES
from isoplane.runs.figures.hosomi.latency_curves import figure_of, simulated_designs
from isoplane.runs.figures.hosomi.nearest_design import nearest_design
from isoplane.runs.figures.hosomi.simulations import SHARES, simulate
from isoplane.runs.folder.journal import Journal
from isoplane.runs.published import published_designs
from isoplane.runs.records import network_of, read_record
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes
from isoplane.search import Threads
from isoplane.simulator import Precision
from tests.cases import for_each

from .stub import solve_design

BEST = Path(__file__).parents[4] / "runs" / "best"
ROUGH = Precision(latency=0.1, accepted=0.05, max_latencies=4, max_packets=0)


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_figure_is_written_with_every_point(tmp_path):
    networks = list(simulated_designs([2, 3], solve_design))
    points = simulate(networks, precision=ROUGH, seed=1, fleet=Threads(1))
    figure_of(networks, points).write(tmp_path, "fig9")
    assert len(table(tmp_path / "fig9.csv")) == 2 * 6 * len(SHARES)
    rows = table(tmp_path / "fig9-networks.csv")
    assert len(rows) == 12
    assert {row["published_max_traffic_per_node"] for row in rows} == {""}  # the paper states nothing at these sizes
    assert len(table(tmp_path / "fig9-changes.csv")) == 2 * 4 * 2
    assert table(tmp_path / "fig9-published.csv") == []
    assert (tmp_path / "fig9.png").read_bytes().startswith(b"\x89PNG")


def test_an_interrupted_run_continues_after_its_stored_points(tmp_path):
    cubes = [
        EvaluatedCubes("D-HC", Design(dual_cube(3, (1, 2, 4)))),
        EvaluatedCubes("DI-HC", Design(dual_cube(3, (3, 5, 7)))),
    ]
    settings = {"precision": ROUGH, "seed": 1, "fleet": Threads(1)}
    file = tmp_path / "folder" / "points.jsonl"

    def interrupt(done, total):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(cubes, **settings, on_progress=interrupt, kept=Journal(file))
    with file.open("a") as torn:
        torn.write('{"id": "no end')
    counts = []
    resumed = simulate(cubes, **settings, on_progress=lambda done, total: counts.append(done), kept=Journal(file))
    assert counts == list(range(6, 2 * len(SHARES) + 1))
    assert resumed == simulate(cubes, **settings)
    assert resumed == simulate(cubes, **settings, on_progress=lambda *_: pytest.fail("ran again"), kept=Journal(file))
    other = simulate(cubes, **settings | {"seed": 2}, kept=Journal(file))  # another seed is another simulation
    assert other != resumed


@for_each(("folded", "n"), [(True, 8), (True, 12)])
def test_designs_come_within_a_percent_of_the_published_ones(folded, n):
    family = "folded_hypercube" if folded else "hypercube"
    files = [file for name in sorted(set(OBJECTIVES.values())) for file in BEST.glob(f"{family}-n{n}-{name}-*.json")]
    starts = [EvaluatedCubes("", Design(network_of(read_record(file)))) for file in files]
    for stated in list(published_designs(folded, n).values())[1:]:
        (delay_ns, _), (traffic, _) = stated["delay_paper_ns"], stated["max_traffic"]
        design = nearest_design(starts, delay_ns, traffic)
        found = metrics(design, exact_metrics(design))
        assert found["delay_paper_ns"] == pytest.approx(delay_ns, rel=0.01)
        assert found["max_traffic"] == pytest.approx(traffic, rel=0.01)
