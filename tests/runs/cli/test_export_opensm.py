"""`isoplane export` of InfiniBand subnets and the plane choice: the same bytes again, and nothing if it is refused."""

from .conftest import files

CUBES = ("network.n=3", "network.generators=[3,5,7]", "network.nodes_per_switch=2")
FORMATS = "format=[opensm,plane_rule,plane_table,source_routes]"


def test_the_same_design_gives_the_same_files(isoplane, tmp_path):
    for folder in ("a", "b"):
        assert isoplane("export", *CUBES, FORMATS, f"hydra.run.dir={folder}").code == 0
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


def test_a_design_that_opensm_cannot_deploy_leaves_nothing(isoplane, tmp_path):
    result = isoplane("export", "network=torus", "network.shape=[4,4]", "format=[plane_table,opensm]")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(
        "isoplane export: format=opensm: plane 0: its routes use 2 classes of virtual channels"
    )
    assert result.err.count("\n") == 1
    assert files(tmp_path) == []
