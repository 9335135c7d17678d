"""Every invalid config value is rejected in one line, before anything is written."""

import copy

import pytest
from omegaconf import OmegaConf

from isoplane.models import InputError
from isoplane.runs.cli import evaluate, reproduce, search
from isoplane.runs.config.allowed_keys import check_keys
from tests.cases import for_each

from .conftest import composed_config


@pytest.fixture(scope="module")
def configs():
    verbs = {"search": ["network.n=4"], "evaluate": ["network.n=3"], "reproduce": ["experiment=hosomi/fig3"]}
    return {verb: composed_config(verb, *overrides) for verb, overrides in verbs.items()}


NAMED_OBJECTIVE = composed_config("search", "objective=aspl")["objective"]


def rejection(run, config, changes):
    """The message with which a verb rejects a changed config."""
    config = copy.deepcopy(config)
    for key, value in changes.items():
        *groups, last = key.split(".")
        parent = config
        for group in groups:
            parent = parent[group]
        parent[last] = value
    with pytest.raises(InputError) as raised:
        run(OmegaConf.create(config))
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 300
    assert any(word in message for word in ("expect", "allowed with", "give "))
    return message


@for_each(
    ("changes", "message"),
    [
        ({"network.n": 1}, "network.n=1: expected an integer from 2 to 16"),
        ({"network.n": 17}, "network.n=17"),
        ({"network.n": 3.5}, "network.n=3.5"),
        ({"network.n": "abc"}, "network.n='abc'"),
        ({"network.n": None}, "network.n=None"),
        ({"network.n": [3]}, "network.n=[3]"),
        ({"network.n": True}, "network.n=True"),
        (
            {"network.family": "torus"},
            "network=torus: has no search variables; expected",
        ),
        ({"network.planes": 3}, "network.planes=3: expected 2"),
        ({"network.nodes_per_switch": 0}, "network.nodes_per_switch=0"),
        ({"network.nodes_per_switch": "x"}, "network.nodes_per_switch='x'"),
        ({"network.generators": [1, 2, 4, 8]}, "network.generators=[1, 2, 4, 8]"),
        ({"network": None}, "network=null"),
        ({"seed": -1}, "seed=-1: expected an integer from 0 to 18446744073709551615"),
        ({"seed": 1 << 64}, "seed=18446744073709551616"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"seed": "abc"}, "seed='abc'"),
        ({"workers": 0}, "workers=0: expected an integer from 1 to 1024"),
        ({"workers": 1025}, "workers=1025"),
        ({"workers": "two"}, "workers='two'"),
        ({"fleet.name": "slurm"}, "fleet.name='slurm': expected local, ray"),
        ({"fleet.address": "here:1"}, "fleet.address='here:1': allowed with fleet=ray only"),
        ({"fleet.name": "ray", "fleet.address": 3}, "fleet.address=3: expected HOST:PORT"),
        ({"warm_start": [1]}, "warm_start=[1]"),
        ({"warm_start": ""}, "warm_start=:"),
        ({"warm_start": "missing.json"}, "missing.json: no such file"),
        ({"warm_start": "/"}, "/: a folder"),
    ],
)
def test_a_search_rejects_values_out_of_range(configs, changes, message):
    assert message in rejection(search.run, configs["search"], changes)


@for_each("value", [-1, "abc", float("inf"), float("nan"), [1], True])
def test_a_time_is_a_number_of_at_least_0(configs, value):
    assert f"stop.seconds={value!r}: expected a number" in rejection(
        search.run, configs["search"], {"stop.seconds": value}
    )


@for_each("stop", ["evaluations", "stalled"])
@for_each("value", [-1, 0, 1.5, "abc", True])
def test_a_count_of_evaluations_is_a_positive_integer(configs, stop, value):
    message = rejection(search.run, configs["search"], {f"stop.{stop}": value})
    assert f"stop.{stop}={value!r}: expected an integer of at least 1" in message


@for_each("value", [-3.5, 0, "abc", float("nan"), {"a": 1}])
def test_a_target_is_a_number_above_0(configs, value):
    message = rejection(search.run, configs["search"], {"stop.target": value})
    assert f"stop.target={value!r}: expected a number above 0" in message


@for_each(
    ("changes", "message"),
    [
        ({"objective.metrics": ["delay", "max_traffic"], "stop.target": 5}, "stop.target=5"),
        ({"objective.metrics": ["delay"]}, "objective.metrics=['delay']"),
        ({"objective.metrics": ["delay", "delay"]}, "two different metrics"),
        ({"objective.metrics": ["delay", "beauty"]}, "'beauty'"),
        ({"objective.metrics": 3}, "objective.metrics=3"),
        ({"objective.metrics": ["delay", "cost"], "layout": None}, "layout=none"),
        ({"objective.components": [["beauty"]]}, "'beauty'"),
        ({"objective.components": []}, "1 to 3"),
        ({"objective.components": [["aspl"]] * 4}, "1 to 3"),
        ({"objective.components": [3]}, "objective.components=[3]"),
        ({"objective.components": None}, "objective.components=None"),
        ({"objective.components": [["delay"]], "layout": None}, "layout=none"),
        ({"objective.name": None}, "objective.name=null"),
        ({"objective.name": [3]}, "objective.name=[3]"),
    ],
)
def test_an_invalid_objective_is_rejected(configs, changes, message):
    assert message in rejection(search.run, configs["search"] | {"objective": NAMED_OBJECTIVE}, changes)


@for_each(
    ("changes", "message"),
    [
        ({"layout.racks_across": 2}, "layout.racks_across and layout.racks_deep"),
        ({"layout.racks_across": 1, "layout.racks_deep": 3}, "too few racks; expected at least 4"),
        ({"layout.aspects": [3]}, "layout.aspects=[3]"),
        ({"layout.aspects": 3}, "layout.aspects=3"),
        ({"layout.switches_per_rack": 0}, "layout.switches_per_rack=0"),
        ({"layout.pitch_across_m": -1}, "layout.pitch_across_m=-1"),
        ({"layout.slack_m": "abc"}, "layout.slack_m='abc'"),
        ({"layout.slack_m": 0.0001}, "layout.slack_m=0.0001"),
        ({"layout.name": 3}, "layout.name=3"),
        ({"layout.colour": "red"}, "layout.colour"),
        ({"layout": "paper"}, "layout='paper'"),
        ({"prices.cables_usd": []}, "at least one cable"),
        ({"prices.cables_usd": 4}, "prices.cables_usd=4"),
        ({"prices.cables_usd": [{"length_m": 3}]}, "{'length_m': 3}"),
        ({"prices.cables_usd": [{"length_m": 3, "price_usd": 1}]}, "the longest in prices=infiniband_edr is 3 m"),
        ({"prices.nics_usd": [{"ports": 4, "price_usd": 399}]}, "none with 2 ports"),
        ({"prices.switch_port_usd": -3}, "prices.switch_port_usd=-3"),
        ({"switch.delay_ns": -1}, "switch.delay_ns=-1"),
        ({"switch.delay_ns": "abc"}, "switch.delay_ns='abc'"),
        ({"switch.colour": "red"}, "switch.colour"),
        ({"network.n": 13}, "a cable of 129.9 m: the longest in prices=infiniband_edr is 100 m"),
    ],
)
def test_an_invalid_site_is_rejected(configs, changes, message):
    assert message in rejection(search.run, configs["search"], changes)


@for_each(
    ("options", "message"),
    [
        ({"_target_": "isoplane.search.Anneal", "chains": 0}, "strategy.chains=0"),
        ({"_target_": "isoplane.search.Anneal", "chains": "x"}, "strategy.chains='x'"),
        ({"_target_": "isoplane.search.Anneal", "fall": -1}, "strategy.fall=-1"),
        ({"_target_": "isoplane.search.Anneal", "colour": 1}, "strategy.colour: unknown"),
        ({"_target_": "isoplane.search.Limits"}, "strategy._target_=isoplane.search.Limits"),
        ({"_target_": None}, "strategy._target_=None"),
        ({"_target_": "a..b"}, "strategy._target_=a..b: "),
        ({"_target_": "os"}, "strategy._target_=os: expected a class"),
    ],
)
def test_an_invalid_strategy_is_rejected(configs, options, message):
    assert message in rejection(search.run, configs["search"], {"strategy": options})


@for_each(
    ("generators", "message"),
    [
        ([1, 2, 3], "not a basis, since 3 = 1 ^ 2"),
        ([1, 2, 4, 7], "not a basis, since 7 = 1 ^ 2 ^ 4"),
        ([1, 1, 4], "1 occurs twice"),
        ([1, 2], "2 generators; expected 3 independent generators"),
        ([], "0 generators"),
        ([0, 2, 4], "generator=0: expected an integer from 1 to 7"),
        ([1, 2, 8], "generator=8: expected an integer from 1 to 7"),
        ([1, 2, -4], "generator=-4"),
        ([1, 2, "x"], "generator='x'"),
        ([1, 2, 4.0], "generator=4.0"),
        (5, "network.generators=5"),
        (None, "network.generators=null"),
    ],
)
def test_generators_that_are_not_a_basis_are_rejected(configs, generators, message):
    assert message in rejection(evaluate.run, configs["evaluate"], {"network.generators": generators})


@for_each(
    ("changes", "message"),
    [
        ({"figure": None}, "figure=null"),
        ({"sizes": "x"}, "sizes='x': expected a list"),
        ({"figure": "fig2"}, "figure='fig2': expected fig3, fig5"),
        (
            {"paper": "shimizu", "figure": "fig99"},
            "figure='fig99': expected fig10, fig11, fig12, fig13, fig14, fig15, fig7",
        ),
        ({"seed": -1}, "seed=-1"),
        ({"workers": 0}, "workers=0"),
        ({"exact_up_to": 9}, "exact_up_to=9"),
        ({"stop.seconds": -3}, "stop.seconds=-3"),
        ({"stop.target": 3}, "stop.target=3: a figure has many designs, so no single target; expected null"),
        ({"fleet.name": "slurm"}, "fleet.name='slurm'"),
        ({"paper": "nobody"}, "paper='nobody': expected hosomi, shibamura"),
        ({"replications": 3}, "replications=3: this figure has no simulations; expected null"),
    ],
)
def test_reproduce_rejects_values_out_of_range(configs, changes, message):
    assert message in rejection(reproduce.run, configs["reproduce"], changes)


@for_each(
    ("changes", "message"),
    [
        ({"sizes": [64, 4096]}, "sizes=[64, 4096]: expected one number of nodes"),
        ({"seed": -1}, "seed=-1"),
        ({"workers": 0}, "workers=0"),
    ],
)
def test_reproduce_of_simulations_rejects_values_out_of_range(changes, message):
    assert message in rejection(reproduce.run, composed_config("reproduce", "experiment=shibamura/fig5"), changes)


@for_each(
    ("changes", "message"),
    [
        ({"colour": "red"}, "colour: unknown; expected fleet, judge, layout, network"),
        ({"figure": "fig3"}, "figure: unknown"),
        ({"network.colour": "red"}, "network.colour: unknown; expected family, generators, n, nodes_per_switch"),
        ({"objective.weight": 2}, "objective.weight: unknown; expected components, metrics, name"),
        ({"stop.gab": 0.1}, "stop.gab: unknown; expected evaluations, gap, seconds, stalled, target"),
        ({"fleet.port": 1}, "fleet.port: unknown; expected address, name"),
    ],
)
def test_an_added_key_is_rejected_unless_the_verb_knows_it(configs, changes, message):
    check_keys("search", configs["search"])
    assert message in rejection(lambda config: check_keys("search", config), configs["search"], changes)


def test_a_deleted_key_is_reported_as_missing(configs):
    config = {key: value for key, value in configs["search"].items() if key != "seed"}
    with pytest.raises(InputError, match="seed: missing; give it a value"):
        check_keys("search", config)
