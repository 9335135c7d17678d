"""Every config composes, builds its object, and has the defaults of the models; catalogues are those published."""

from dataclasses import fields, replace
from decimal import Decimal
from importlib import resources

import pytest
from hydra import compose, initialize_config_module
from hydra.core.plugins import Plugins
from omegaconf import OmegaConf

from isoplane import search
from isoplane.models import Layout, PriceList, Site, SwitchModel, family_named, family_names
from isoplane.objectives import CUBE_METRICS, objective_names
from isoplane.runs.cli.main import VERBS
from isoplane.runs.cli.reproduce import PAPERS
from isoplane.runs.config import config_values as values
from isoplane.runs.config import designs, search_setup, setup, strategies
from isoplane.runs.config.allowed_keys import check_keys
from isoplane.runs.config.assignments import FROM_FILES, MIX, WORKLOADS, workload_of
from isoplane.runs.config.designs import network_of_config
from isoplane.runs.config.scenario import case_of
from isoplane.runs.figures.shimizu.exchange_times import WITH_COMPUTING
from isoplane.search import Auto, CircuitRule, ConnectionSets, Limits, Strategy, Threads
from isoplane.search.circuits.rule_rounds import RULES
from isoplane.simulator import Hardware, Precision, Traffic
from isoplane.simulator.measure.saturation import TOLERANCE
from isoplane.simulator.traffic.traffic import PATTERNS
from tests.cases import for_each

CONF = resources.files("isoplane.conf")
TIMES = {"completion", "completion_by_packets", "bottleneck", "throughput"}  # of a workload


def choices(group):
    """The choices of a config group."""
    return sorted(file.name.removesuffix(".yaml") for file in (CONF / group).iterdir() if file.name.endswith(".yaml"))


def composed(verb, *overrides):
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        return values.plain(compose(verb, list(overrides)))


def simulated(*words):
    config = composed("simulate", *words)
    return case_of(config, network_of_config(config))


def single_choice(group, choice):
    """A config that holds one file of one group."""
    return {group: OmegaConf.to_container(OmegaConf.create((CONF / group / f"{choice}.yaml").read_text()))}


def test_the_config_groups_are_complete():
    groups = {entry.name for entry in CONF.iterdir() if entry.is_dir() and not entry.name.startswith("__")}
    groups -= {"hydra", "programs"}  # Hydra's own settings that we override, and programs in a language of their own
    search_groups = {"experiment", "fleet", "layout", "network", "objective", "prices", "stop", "strategy", "switch"}
    assert groups == search_groups | {"workload", "hardware", "traffic", "measurement", "msccl", "page"}
    assert choices("network") == list(family_names())
    assert choices("workload") == sorted(WORKLOADS)


@for_each("verb", VERBS)
def test_every_verb_composes_with_known_keys_only(verb):
    check_keys(verb, composed(verb))


CUBES = [name for name in family_names() if family_named(name).kind == "cubes"]


@for_each("network", CUBES)
@for_each("layout", ["none", "paper"])
def test_every_layout_filled_by_id_yields_a_search_space(network, layout):
    config = composed("search", f"network={network}", "network.n=3", f"layout={layout}")
    space = search_setup.search_space_of(config)
    site = Site(layout=None if layout == "none" else Layout())
    assert space == ConnectionSets(3, network == "folded_hypercube", site=site)
    assert space.identical.name == network


def test_the_objectives_are_exactly_the_documented_ones():
    combined = {"aspl_and_traffic", "delay_and_traffic", "delay_paper_and_traffic", "front"}
    single = {name: exact for name, exact in objective_names("cubes").items() if name in choices("objective")}
    assert list(single.values()) == list(CUBE_METRICS[:6])
    assert set(choices("objective")) == combined | set(single) | TIMES | {"auto"}
    expected = {
        "aspl_and_traffic": (("sum_of_distances", "max_load"), ("cable_length",)),
        "delay_and_traffic": (("delay", "max_load"), ("cost",)),
        "delay_paper_and_traffic": (("delay_paper", "max_load"), ("cost",)),
        **{name: ((exact,),) for name, exact in single.items()},
    }
    assert {name: setup.named_objective(name).components for name in expected} == expected
    assert setup.named_objective("front").front == ("delay", "max_load")


def test_every_strategy_has_a_file():
    classes = [kind for name in search.__all__ if isinstance(kind := getattr(search, name), type)]
    kinds = {kind for kind in classes if issubclass(kind, Strategy)} - {Strategy, CircuitRule}
    assert choices("strategy") == sorted([*RULES, *(kind().name for kind in kinds)])


@for_each("name", choices("strategy"))
def test_every_strategy_has_the_defaults_of_its_class(name):
    config = single_choice("strategy", name)
    strategy = strategies.strategy_of(config)
    assert strategy.name == name
    assert strategy == (CircuitRule(name) if isinstance(strategy, CircuitRule) else type(strategy)())
    # Only what is written in the file can be overridden without a plus sign.
    if name != "auto":
        assert set(config["strategy"]) - {"_target_"} == {field.name for field in fields(strategy)}


def test_layout_prices_and_switch_have_the_defaults_of_the_models():
    assert choices("prices") == ["ethernet_40g", "infiniband_edr", "infiniband_edr_ranges", "infiniband_fdr10"]
    cited = ["bluegene_q", "fujitsu_10gbe", "rhinet_2", "rhinet_3", "yarc"]
    assert choices("switch") == sorted(["hirasawa_1", "hirasawa_2", "infiniband_edr", *cited])
    assert choices("layout") == ["floor", "none", "paper"]
    choice = {"layout": "paper", "prices": "infiniband_edr", "switch": "infiniband_edr"}
    config = {group: single_choice(group, choice[group])[group] for group in choice}
    assert designs.site_of(config) == Site()
    for name, model in (("layout", Layout), ("prices", PriceList), ("switch", SwitchModel)):
        assert list(config[name]) == [field.name for field in fields(model)]


@for_each("name", CUBES)
def test_a_network_has_the_defaults_of_its_model(name):
    network = single_choice("network", name)["network"]
    expected = {"family": name, "n": 8, "planes": 2, "nodes_per_switch": 4, "generators": None, "policy": "nearest"}
    assert network == expected
    assert network["nodes_per_switch"] == ConnectionSets(8).nodes_per_switch


@for_each("name", ["hybrid", "optical_overlay"])
def test_a_network_with_circuits_has_the_defaults_of_its_model(name):
    network, kind = composed("evaluate", f"network={name}")["network"], family_named(name)
    assert kind.read({key: network[key] for key in network.keys() - set(kind.design_keys)}) == kind()
    assert set(network) == {field.name for field in fields(kind)} | {"family", "circuits", "placement"}


FAMILIES_BY_FIELD = sorted({*family_names()} - {*CUBES, "fabric", "graph", "hybrid", "optical_overlay"})  # as in YAML


@for_each("name", FAMILIES_BY_FIELD)
def test_a_family_has_the_keys_and_defaults_of_its_yaml(name):
    keys = composed("evaluate", f"network={name}")["network"]
    family = family_named(keys.pop("family"))
    assert set(keys) == {field.name for field in fields(family)} | set(family().variables)
    assert family.read(keys) == family()


def test_a_network_without_a_search_space_can_be_simulated():
    case = simulated("network=torus", "hardware.deadlock=drop")
    assert case.scenario.network.family == family_named("torus")()
    assert case.scenario.network.family.kind == "switches"


def test_hardware_traffic_and_measurement_have_the_defaults_of_the_simulator():
    case = simulated("network.n=3", "network.generators=[3,5,7]")
    scenario = case.scenario
    assert (scenario.hardware, scenario.traffic) == (Hardware(), Traffic(load=1))
    assert (scenario.precision, case.tolerance, scenario.seed) == (Precision(), TOLERANCE, 1)
    assert scenario.check_deadlock is False
    not_in_config = {"hardware": {"switch"}, "traffic": {"load", "interval_ns", "table"}}
    for group, model in (("hardware", Hardware), ("traffic", Traffic)):
        for choice in choices(group):
            section = composed("simulate", "network.n=3", f"{group}={choice}")[group]
            assert set(section) == {field.name for field in fields(model)} - not_in_config[group]
    for choice in choices("measurement"):
        section = single_choice("measurement", choice)["measurement"]
        assert set(section) == {field.name for field in fields(Precision)} | {"tolerance"}
    assert choices("traffic") == sorted(set(PATTERNS) - {"table"})


@for_each(("changes", "seconds"), [({}, 30), ({"evaluations": 5}, None), ({"stalled": 5}, None), ({"target": 5}, 30)])
def test_a_search_without_a_limit_on_evaluations_or_stalling_lasts_30_seconds(changes, seconds):
    stop = single_choice("stop", "limits")["stop"]
    assert set(stop) == {field.name for field in fields(Limits)}
    assert setup.limits_of({"stop": stop | changes}) == Limits(seconds=seconds, **changes)


def test_a_fleet_is_this_machine_or_ray():
    assert choices("fleet") == ["local", "ray"]
    config = composed("search", "seed=3", "workers=2")
    assert setup.seed_of(config) == 3
    with setup.fleet_of(config) as fleet:
        assert fleet == Threads(2)
    # A Ray fleet connects only when its context is entered.
    assert setup.fleet_of(composed("search", "fleet=ray", "workers=3")).workers == 3


LAUNCHERS = {**dict.fromkeys(("processes", "slurm"), "hydra_submitit_launcher"), "ray_tasks": "hydra_ray_launcher"}


@for_each("name", choices("hydra/launcher"))
def test_every_launcher_of_sweeps_composes_and_is_one_that_hydra_has_found(name):
    pytest.importorskip(f"hydra_plugins.{LAUNCHERS[name]}", reason="its extra is not installed")
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        config = compose("search", [f"hydra/launcher={name}"], return_hydra_config=True)
    assert config.hydra.launcher._target_ in Plugins.instance().class_name_to_class
    if name == "ray_tasks":  # else all that jobs print is printed twice
        assert not config.hydra.launcher.ray.init.log_to_driver


HYBRID = ("network=hybrid", "workload=stencil", "workload.iterations=1")
CUBE = ("network.n=3", "network.nodes_per_switch=1", "workload=recursive_doubling", "workload.processes=8")
SCORED = [(HYBRID, name) for name in TIMES - {"throughput"}]
SCORED += [(CUBE, name) for name in TIMES - {"completion_by_packets"}]


@for_each(("words", "name"), sorted(SCORED))
def test_every_time_scores_a_design(words, name):
    space = search_setup.search_space_of(config := composed("search", *words, f"objective={name}"))
    found = search_setup.configured_objective(config, space)(space.baseline)
    assert found.score[0] == found.metrics["synchronised_ns" if name == "throughput" else f"{name}_ns"]


@for_each("name", sorted(set(WORKLOADS) - {*FROM_FILES, MIX}))
def test_every_workload_has_the_defaults_of_its_function(name):
    assert workload_of(single_choice("workload", name)) == WORKLOADS[name]()


@for_each("paper", PAPERS)
def test_there_is_an_experiment_for_every_figure(paper):
    assert choices(f"experiment/{paper}") == sorted(PAPERS[paper])


@for_each(("paper", "name"), [(paper, name) for paper in PAPERS for name in choices(f"experiment/{paper}")])
def test_every_experiment_composes(paper, name):
    config = composed("reproduce", f"experiment={paper}/{name}")
    assert (config["paper"], config["figure"]) == (paper, name)
    if paper == "hosomi":
        assert set(config["sizes"]) <= set(range(2, 13))
        assert setup.limits_of(config).evaluations == 40_000_000
        assert strategies.strategy_of(config) == Auto()
    elif paper == "takizawa":
        assert (config["sizes"][-1], setup.limits_of(config).evaluations) == (64, 4000)
    elif paper == "shimizu":
        assert config["sizes"] == (list(range(2, 37)) if name == "fig7" else [8, 16, 32])
        assert (config["gflops"] is not None) == (name in WITH_COMPUTING)
    elif paper == "hirasawa":
        assert (config["jobs"], config["processors_per_node"], config["benchmarks"]) == (None, None, None)
        assert (config["switch"] is None) == (name == "fig1")
    else:
        assert (paper, config["sizes"], config["replications"]) == ("shibamura", [4096], 5)


def test_the_floor_fits_a_rack_of_42_units_and_any_number_of_racks():
    config = single_choice("layout", "floor")
    assert set(config["layout"]) == {field.name for field in fields(Layout)}
    layout = designs.site_of({**config, "prices": {}, "switch": {}}).layout
    assert layout.switches_per_rack + layout.nodes_per_rack // 4 * 2 == 42 - 2  # 2 units for four nodes, 2 units free
    assert all(across * deep >= racks for racks in range(1, 300) for across, deep in [layout.grid_of(racks)])
    assert layout.filled_by_id(4) == replace(layout, assignment="in_order", nodes_per_rack=None)


def catalogue(name):
    config = single_choice("prices", name)
    assert list(config["prices"]) == [field.name for field in fields(PriceList)]
    return designs.site_of({**config, "layout": None, "switch": {}}).prices


def test_the_fdr10_catalogue_has_the_published_fits_at_its_lengths_and_sizes():
    prices = catalogue("infiniband_fdr10")
    for length_m, usd in prices.cables_usd.items():
        per_m, fixed = ("0.4079", "0.5771") if length_m <= 7 else ("0.0919", "7.2745")
        assert usd == float(round(40 * (Decimal(per_m) * length_m + Decimal(fixed)), 2))
        assert prices.cable_class(1000 * length_m) == ("copper" if length_m <= 7 else "optics")
    for ports, usd in prices.switches_usd.items():
        assert usd == float(Decimal("350.4") * ports - Decimal("892.3"))
    assert prices.switch_port_w == 4 * 0.7


def test_the_40g_catalogue_is_of_copper_to_5_m_and_its_optics_cost_376_usd_and_5_a_metre_or_a_little_more():
    # the same study has 376 + 5 x US$ for optical and 40 + 16 x for copper cables of any length, before assembly
    prices = catalogue("ethernet_40g")
    for length_m, usd in prices.cables_usd.items():
        optical = prices.cable_class(1000 * length_m) == "optics"
        made_to_length = 376 + 5 * length_m if optical else 40 + 16 * length_m
        assert optical == (length_m > 5)
        assert abs(usd / made_to_length - 1) < 0.05
    assert prices.switch_for(36) == (36, 36 * 4 * 500_00)
