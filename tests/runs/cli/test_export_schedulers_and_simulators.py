"""`isoplane export` for SimGrid and Slurm."""

from tests.cases import for_each

from .conftest import files

CUBES = ("network=hypercube", "network.n=3", "network.generators=[3,5,7]")


def test_both_formats_are_written_at_once(isoplane, tmp_path):
    words = (*CUBES, "format=[simgrid,slurm]", "slurm_tree=distance", "hydra.run.dir=out")
    result = isoplane("export", *words)
    assert (result.code, result.err) == (0, "")
    written = [str(path.relative_to(tmp_path / "out")) for path in map(tmp_path.joinpath, result.out.split())]
    assert written == ["simgrid/platform.xml", "slurm/topology.conf", "slurm/topology.yaml", "manifest.json"]


@for_each(
    ("words", "message"),
    [
        ((*CUBES, "format=slurm", "slurm_tree=rows"), "slurm_tree=rows: expected racks, distance"),
        ((*CUBES, "layout=none", "format=[edges,slurm]"), "format=slurm: the design has no layout; expected a design"),
        (
            ("network=hybrid", "network.circuits=[]", "network.placement=by_switch", "format=simgrid"),
            "format=simgrid: the design has circuits of an optical switch; expected a network of packet switches",
        ),
    ],
)
def test_designs_and_options_that_do_not_fit_leave_nothing(isoplane, tmp_path, words, message):
    result = isoplane("export", *words)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"isoplane export: {message}")
    assert files(tmp_path) == []
