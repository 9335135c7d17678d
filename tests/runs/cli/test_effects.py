"""Every verb rejects options that would have no effect, in one line that says why."""

import pytest

from isoplane.runs.cli.main import VERBS
from isoplane.runs.config.allowed_keys import _keys
from isoplane.runs.config.unused_options import FIXED

from .conftest import files

DESIGN_WORDS = (
    "network.n=5",
    "network=folded_hypercube",
    "network.planes=2",
    "network.nodes_per_switch=2",
    "layout=none",
    "layout.slack_m=1",
    "prices.switch_port_usd=1",
    "switch.delay_ns=500",
    "workload=sparse",
)
CUBE = ("network.n=3", "network.generators=[3,5,7]")


def require_rejected(result, tmp_path, verb, message):
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
    assert result.err.startswith(f"isoplane {verb}: {message}: ")
    assert "has no effect" in result.err
    assert "expected" in result.err or "allowed with" in result.err
    assert files(tmp_path) == []


@pytest.mark.parametrize("word", DESIGN_WORDS)
@pytest.mark.parametrize("verb", ["evaluate", "verify", "report", "simulate"])
def test_a_record_fixes_its_network_and_its_workload(isoplane, tmp_path, record, verb, word):
    if (verb, word) != ("simulate", "workload=sparse"):
        require_rejected(isoplane(verb, f"record={record}", word), tmp_path, verb, word)


@pytest.mark.parametrize("word", DESIGN_WORDS)
@pytest.mark.parametrize("option", ["run", "sweep"])
def test_the_folder_of_a_run_or_sweep_fixes_them_too(isoplane, tmp_path, option, word):
    require_rejected(isoplane("report", f"{option}=folder", word), tmp_path, "report", word)


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("simulate", *CUBE), "prices.switch_port_usd=1"),
        (("simulate", *CUBE), "shorten=2"),
        (("simulate", *CUBE), "placement=random"),
        (("simulate", *CUBE, "workload=sparse"), "placement_seed=2"),
        (("evaluate", *CUBE, "workload=sparse", "placement=by_cut"), "placement_seed=2"),
        (("evaluate", *CUBE, "workload=sparse", "placement=random"), "placement_evaluations=2"),
        (("simulate", *CUBE, "workload=sparse"), "traffic=complement"),
        (("simulate", *CUBE, "workload=sparse"), "loads=[0.1]"),
        (("simulate", *CUBE, "workload=sparse"), "saturation=false"),
        (("simulate", *CUBE, "workload=sparse"), "measurement=rough"),
        (("simulate", *CUBE, "messages=some.cpf"), "workload=sparse"),
        (("simulate", *CUBE, "messages=some.cpf"), "shorten=2"),
        (("simulate", *CUBE, "messages=some.cpf"), "placement=random"),
        (("simulate", "program=torus.ndl"), "placement=random"),
        (("simulate", "network=hybrid", "workload=sparse"), "placement=random"),
        (("evaluate", *CUBE), "placement=random"),
        (("evaluate", *CUBE, "workload=sparse"), "placement_seed=2"),
        (("verify", *CUBE), "placement=random"),
        (("evaluate", "network=hybrid", "workload=sparse"), "placement=random"),
        (("simulate", *CUBE), "prices=infiniband_edr"),
        (("simulate", "network=torus"), "layout=none"),
        (("simulate", "network=mesh"), "prices=infiniband_edr"),
        (("simulate", *CUBE, "saturation=false"), "measurement.tolerance=0.1"),
        (("simulate", "program=torus.ndl"), "measurement=rough"),
        (("simulate", "program=torus.ndl"), "saturation=true"),
        (("reproduce", "experiment=hosomi/fig3"), "measurement=rough"),
        (("reproduce", "experiment=hosomi/fig9"), "replications=3"),
        (("reproduce", "experiment=shibamura/fig4"), "stop.evaluations=10"),
        (("reproduce", "experiment=shibamura/fig4"), "strategy=anneal"),
        (("reproduce", "experiment=shibamura/fig4"), "exact_up_to=3"),
        (("reproduce", "experiment=shibamura/fig4"), "measurement.latency=0.1"),
        (("reproduce", "experiment=takizawa/fig2"), "measurement=rough"),
        (("reproduce", "experiment=takizawa/fig2"), "replications=2"),
        (("reproduce", "experiment=takizawa/fig2"), "exact_up_to=3"),
        (("reproduce", "experiment=shimizu/fig7"), "seed=2"),
        (("reproduce", "experiment=shimizu/fig7"), "workers=2"),
        (("reproduce", "experiment=shimizu/fig7"), "stop.evaluations=10"),
        (("reproduce", "experiment=shimizu/fig10"), "seed=2"),
        (("reproduce", "experiment=shimizu/fig14"), "gflops=2"),
        (("reproduce", "experiment=hosomi/fig3"), "gflops=2"),
        (("best", "objective=aspl"), "objective.components=[[cost]]"),
        (("search", "network.n=3"), "shorten=3"),
        (("search", "network=hybrid"), "prices=infiniband_edr"),
        (("search", "network.n=3", "layout=none"), "prices.switch_port_usd=1"),
        (("evaluate", *CUBE, "layout=none"), "prices=infiniband_edr"),
        (("evaluate", *CUBE, "layout=none"), "switch.delay_ns=500"),
        (("verify", *CUBE, "layout=none"), "switch.delay_ns=500"),
        (("report", *CUBE, "layout=none"), "switch.delay_ns=500"),
        (("evaluate", *CUBE), "hydra.run.dir=run"),
        (("verify", *CUBE), "hydra.run.dir=run"),
        (("best",), "hydra.run.dir=run"),
    ],
)
def test_an_option_without_effect_is_rejected(isoplane, tmp_path, words, word):
    require_rejected(isoplane(*words, word), tmp_path, words[0], word)


def test_the_table_names_options_that_exist():
    for verb, fixed_by_option in FIXED.items():
        assert verb in VERBS
        plain, groups = _keys(verb)
        assert set(fixed_by_option) <= plain
        assert {option for fixed in fixed_by_option.values() for option in fixed} <= plain | groups


def test_every_option_that_names_a_file_is_in_the_table():
    for verb in ("evaluate", "verify", "report", "simulate"):
        file_options = {key for key in _keys(verb)[0] if key in ("record", "run", "sweep", "program", "messages")}
        assert file_options == set(FIXED[verb])
