"""Every verb rejects options that it has not read once it is set up, in one line, before it writes anything."""

import csv
import io
import shlex
from importlib import resources

import pytest

from isoplane.models import InputError
from isoplane.models.workloads import stencil
from isoplane.runs.cli.export import exported_of
from isoplane.runs.config.config_values import Config, plain, values_of
from isoplane.runs.config.designs import Loaded, loaded, loaded_design
from isoplane.runs.records import design_of_record, read_record, workload_json
from tests.cases import for_each, require_refusal

from .conftest import files

CUBE = ("network.n=3", "network.generators=[3,5,7]")
JOB = (*CUBE, "workload=sparse", "workload.processes=16")
MESSAGES = "CommunicationPattern 1\n0 0 1 8\n"


@for_each(
    ("words", "word"),
    [
        *((("record", verb), "network.n=5") for verb in ("evaluate", "verify", "report", "simulate", "export")),
        (("record", "evaluate", "workload=sparse", "workload.processes=16"), "switch.link_gbps=50"),
        (("record", "simulate"), "placement=random"),
        (("report", "run=folder"), "network=folded_hypercube"),
        (("evaluate", *CUBE), "placement=random"),
        (("evaluate", *CUBE), "switch.link_gbps=50"),
        (("evaluate", *CUBE, "layout=none"), "prices=infiniband_edr"),
        (("evaluate", *JOB), "placement_seed=2"),
        (("evaluate", *JOB, "placement=random"), "placement_evaluations=2"),
        (("simulate", *CUBE), "shorten=2"),
        (("simulate", *CUBE), "prices.switch_port_usd=1"),
        (("simulate", *CUBE, "saturation=false"), "measurement.tolerance=0.1"),
        (("simulate", *JOB), "traffic=complement"),
        (("simulate", *JOB), "measurement=rough"),
        (("simulate", *CUBE, "messages=some.cpf"), "saturation=true"),
        (("simulate", "program=torus.ndl"), "network=torus"),
        (("simulate", "network=hybrid", "workload=sparse"), "hardware.buffer_flits=3"),
        (("export", *CUBE, "format=[edges]"), "routes=true"),
        (("export", *CUBE, "format=phases", "order=shift"), "evaluations=5"),
        (("check-cables", "design=best.json", "found=cables.csv"), "network.n=4"),
        (("search", "network.n=3"), "shorten=3"),
        (("search", "network.n=4", "judge=simulator"), "shorten=10"),
        (("simulate", "network=hybrid", "workload=sparse"), "seed=3"),
        (("search", "network=hybrid", "workload=sparse"), "prices=infiniband_edr"),
        (("reproduce", "experiment=hosomi/fig9"), "replications=3"),
        (("reproduce", "experiment=shibamura/fig4"), "stop.evaluations=10"),
        (("reproduce", "experiment=takizawa/fig2"), "exact_up_to=3"),
        (("reproduce", "experiment=shimizu/fig7"), "seed=2"),
    ],
)
def test_an_option_without_effect_is_rejected(refuse, tmp_path, record, words, word):
    if words[0] == "record":
        more = ("format=edges",) if words[1] == "export" else ()
        words = (words[1], f"record={record}", *more, *words[2:])
    (tmp_path / "some.cpf").write_text(MESSAGES)
    (tmp_path / "best.json").write_bytes(record.read_bytes())
    (tmp_path / "cables.csv").write_text("")
    program = resources.files("isoplane.conf").joinpath("programs", "torus-64x64.ndl").read_text(encoding="utf-8")
    (tmp_path / "torus.ndl").write_text(program.replace("64", "4"))
    before = files(tmp_path)
    result = refuse(*words, word)
    assert (result.out, result.err.count("\n")) == ("", 1), result
    assert result.err.startswith(f"isoplane {words[0]}: {word}: has no effect")
    assert ("expected workload=NAME with it, as" if word == "placement=random" else "expected") in result.err
    assert files(tmp_path) == before


@for_each(
    ("network", "key"),
    [
        ("network=torus network.shape=[4,6]", "network"),
        ("network=multi_plane network.plane.shape=[24]", "network.plane"),
    ],
)
def test_what_cables_of_an_assumed_length_lack_for_a_layout_is_said_wherever_one_is_asked_for(refuse, network, key):
    for verb in ("evaluate", "export format=slurm", "export format=cabling"):
        for layout in ("layout=floor", "layout.aspects=[]"):
            assert (
                f"{layout}: has no effect here; expected {key}.assumed_cable_m=null"
                in refuse(*verb.split(), *network.split(), layout).err
            )
    for more in ("format=slurm", "format=cabling"):
        assert (
            f"layout=floor, or layout.aspects=[] for cubes, which take any number of racks, or racks_across and "
            f"racks_deep; any of these with {key}.assumed_cable_m=null" in refuse("export", *network.split(), more).err
        )


def test_a_workload_is_an_option_beside_a_record_without_one(record):
    content = read_record(record)
    given = {"kind": "all_to_all", "processes": 4, "message_bytes": 8, "iterations": 1, "order": "ring"}
    config = Config({"record": str(record), "workload": {**given, "synchronised": False}})
    source = loaded(config)
    found = source.workload(config)
    assert found == loaded_design(design_of_record(content)).workload(config)
    assert source.exchange_order(config, found) is not None
    config.require_effects(["workload=all_to_all"])
    own = Loaded(source.design, {**content, "workload": workload_json(stencil((2, 2), 8))})
    assert own.workload(config).name == "stencil"
    assert own.exchange_order(config, own.workload(config)) is None


def test_a_layout_beside_a_record_is_refused_with_what_takes_one(record):
    config = Config({"record": str(record), "layout": {"slack_m": 1}})
    says = f"^layout=floor: has no effect here; expected a record made with it, by search or evaluate: {record} "
    require_refusal(lambda: exported_of(config, loaded(config), ["layout=floor"]), says)


def test_a_policy_beside_a_record_is_refused_with_the_command_that_has_its_numbers(isoplane, refuse, tmp_path):
    assert isoplane("evaluate", *CUBE, "save=cube.json").code == 0
    (line,) = refuse("evaluate", "record=cube.json", "network.policy=spray").err.splitlines()
    said, _, command = line.partition("; under spray: isoplane ")
    in_place = "expected a network in place of record=cube.json, which states its own"
    assert said == f"isoplane evaluate: network.policy=spray: has no effect here; {in_place}"
    compared = isoplane(*shlex.split(command), "families=[full_mesh]", "format=csv")
    (row,) = (row for row in csv.DictReader(io.StringIO(compared.out)) if "cube.json" in row["design"])
    evaluated = isoplane("evaluate", *CUBE, "network.policy=spray", "columns=[throughput_per_node]", "format=csv")
    own = next(csv.DictReader(io.StringIO(evaluated.out)))  # the baseline is below
    share = next(float(value) for name, value in row.items() if name.startswith("throughput_spray"))
    assert 2 * share == next(float(value) for name, value in own.items() if name.startswith("throughput_per_node"))
    unknown = isoplane("evaluate", "record=cube.json", "network.routing=shortest").err
    assert f"network.routing: has no effect here; {in_place}; known with network=" in unknown


def test_a_fabric_of_stated_lengths_has_the_racks_of_the_layout_that_is_given(isoplane, tmp_path):
    ring = [f"s{switch} s{(switch + 1) % 24} 3" for switch in range(24)]  # 6 racks: no grid of the paper
    (tmp_path / "ring.edges").write_text("\n".join(ring))
    assert isoplane("import", "file=ring.edges", "hydra.run.dir=site").code == 0
    words = ("export", "network=fabric", "network.file=site/fabric.json", "format=cabling", "hydra.run.dir=out")
    assert "expected layout=floor, or" in isoplane(*words).err
    assert isoplane(*words, "layout=floor").code == 0
    assert (tmp_path / "out" / "cabling" / "schedule.csv").exists()


def test_only_what_was_read_has_an_effect():
    config = Config(
        {"network": {"family": "torus", "plane": {"shape": [3]}}, "layout": None, "seed": 1, "stop": {"gap": 1}}
    )
    words = ["network=torus", "network.plane.shape=[3]", "network@network.plane=mesh", "layout=none", "+seed=1"]
    for word in [*words, "stop.gap=0"]:
        with pytest.raises(InputError, match="has no effect"):
            config.require_effects([word])
    group = config["network"]
    assert plain(group) == {"family": "torus", "plane": {"shape": [3]}} == {**plain(config)["network"]}
    with pytest.raises(InputError, match=r"^layout=none: has no effect here; expected no other options$"):
        config.require_effects(["layout=none"])  # handing on reads nothing
    assert values_of(group, ["family"]) == {"plane": {"shape": [3]}}
    assert config["layout"] is None
    assert config.handing_on("stop")["stop"]["gap"] == config.handing_on("seed")["seed"] == 1
    config.require_effects(["network@network.plane=mesh", "network=torus", "layout=none", "experiment=a/b"])
    with pytest.raises(InputError, match=r"^network.family=torus: has no effect here; expected network.plane$"):
        config.require_effects(["network.family=torus"])
    for word in ("+seed=1", "stop.gap=0"):
        with pytest.raises(InputError, match="has no effect here; expected layout, network"):
            config.require_effects([word])
    assert config.replaced(seed=2)["seed"] == 2
    config.require_effects(["seed=1"])


@for_each(
    ("words", "message"),
    [
        (("evaluate", *CUBE, "hydra.run.dir=run"), "evaluate writes none, and with format=csv prints its table"),
        (
            ("evaluate", "--multirun", *CUBE, "seed=1,2", "hydra.sweep.dir=run"),
            "evaluate writes none, and with format=csv prints its table of all jobs",
        ),
        (("serve", "hydra.run.dir=run"), "serve writes none"),
    ],
)
def test_a_verb_without_files_has_no_use_for_a_folder(isoplane, tmp_path, words, message):
    result = isoplane(*words)
    assert (result.code, files(tmp_path)) == (2, [])
    assert result.err == f"isoplane {words[0]}: {words[-1]}: has no effect; expected no folder: {message}\n"
