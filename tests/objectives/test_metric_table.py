"""The metric table matches the metrics of evaluators, the reference, scores and the native code."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    Circuits,
    Design,
    Hybrid,
    InputError,
    Network,
    Placement,
    RoutingCache,
    Site,
    SwitchModel,
    dual_cube,
)
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import stencil
from isoplane.objectives import (
    CUBE_METRICS,
    CUBES,
    METRIC_TABLE,
    Lexicographic,
    displayed_metric,
    evaluator_of,
    metrics_in,
    metrics_of,
    objective_names,
    score_names,
)
from isoplane.objectives.fluid import plane_metrics
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.reference import (
    reference_circuit_metrics,
    reference_exact,
    reference_metrics,
    requested_metrics,
)
from isoplane.runs.records.verification import network_time_metrics
from isoplane.search import _native as search_native
from tests.cases import for_each

WORKLOAD = stencil((2, 2), 1_250_000, iterations=2)
CACHE = RoutingCache(lookup_nj=0.039, static_mw=13, area_mm2=0.73)
TORUS = Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=1)  # 16 switches: four racks
SITE = Site(switch=SwitchModel(routing_ns=25, endpoint_delay_ns=None, cache=CACHE, lookup_nj=42, static_mw=36))
DESIGNS = {
    "cubes": Design(Network(dual_cube(3, (3, 5, 7)).family, SITE)),
    "switches": Design(Network(MultiPlane(plane=TORUS, planes=2), SITE)),
    "circuits": Design(Network(Hybrid(2, 2)), Circuits(((0, 2),)), Placement((0, 1, 2, 3))),
}
SCOPES = sorted(DESIGNS)
OTHER_LOSSES = ("plane_fault_diameter", "plane_fault_hops")


@for_each("scope", SCOPES)
def test_evaluations_and_the_reference_have_the_rows_of_their_scope_in_order(scope):
    design = DESIGNS[scope]
    assert evaluator_of(design).scope == scope
    # Kernels of cubes know no largest delay.
    stated = [name for name, (_, formula) in metrics_in(scope).items() if not formula.on_request]
    names = [name for name in stated if (scope, name) != ("cubes", "max_delay_ns")]
    assert list(metrics_of(design, WORKLOAD if scope == "circuits" else None)) == names
    network = design.network
    reference = reference_circuit_metrics(design, WORKLOAD) if scope == "circuits" else reference_metrics(network)
    assert list(reference) == names


def test_times_of_a_network_and_the_reference_have_the_rows_of_their_scope_in_order():
    network = dual_cube(2, (1, 3), nodes_per_switch=1)
    unjudged = [name for name, (metric, _) in metrics_in("times").items() if "judge" not in metric.needs]
    assert list(plane_metrics(network, WORKLOAD)) == unjudged
    assert network_time_metrics(network, WORKLOAD) == plane_metrics(network, WORKLOAD)


def test_the_native_code_knows_the_exact_integers_of_scores_that_differ_between_designs_of_one_site():
    assert sorted((*CUBE_METRICS, "cache_area", "lookup_power", "switches", "cables", *OTHER_LOSSES)) == sorted(
        score_names("cubes")
    )
    assert sorted(search_native.hybrid_metric_names()) == sorted(score_names("circuits"))


@for_each("scope", ["cubes", "switches"])
def test_evaluators_return_the_exact_integers_of_the_reference(scope):
    design = DESIGNS[scope]
    assert evaluator_of(design).exact(design, score_names(scope)) == reference_exact(
        design.network, after_losses=True, of_racks=True
    )


def test_evaluators_of_circuits_return_whole_times():
    design = DESIGNS["circuits"]
    found = evaluator_of(design).exact(design, score_names("circuits"), WORKLOAD)
    metrics = metrics_of(design, WORKLOAD)
    assert found == {name: metrics[displayed_metric("circuits", name)[0].name] for name in score_names("circuits")}
    with pytest.raises(InputError, match="workload=null"):
        evaluator_of(design).exact(design, ["total"])


def test_an_evaluator_computes_only_the_requested_metrics():
    exact = GeneralExact(Network(Torus(shape=(4, 4)), Site()))
    assert exact.diameter == 4
    assert not {"_loads", "delay", "cost_cents"} & set(vars(exact))


@for_each("scope", ["cubes", "switches"])
def test_only_evaluations_by_a_score_state_metrics_on_request(scope):
    design, evaluator = DESIGNS[scope], evaluator_of(DESIGNS[scope])
    requested = {name: formula for name, (_, formula) in metrics_in(scope).items() if formula.on_request}
    expected = requested_metrics(reference_exact(design.network, after_losses=True, of_racks=True), design.network)
    for name, formula in requested.items():
        values, metrics = evaluator.evaluate(design, (formula.score_name,))
        assert metrics == {**metrics_of(design), name: expected[name]}
        assert float(formula.printed(values[formula.score_name], design.network)) == expected[name]


@for_each("scope", ["cubes", "switches"])
def test_metrics_that_need_a_layout_are_null_without_one_and_rejected_in_scores(scope):
    with_layout = DESIGNS[scope].network
    bare = Design(Network(with_layout.family, Site(layout=None)))
    values = metrics_of(bare)
    assert {name for name, value in values.items() if value is None} == {
        name for name in values if "layout" in METRIC_TABLE[name].needs
    }
    with pytest.raises(InputError, match="metric cost_usd_per_node: needs a layout"):
        evaluator_of(bare).exact(bare, ["cost"])


@given(st.sampled_from(["cubes", "switches"]), st.integers(1, 10**15))
def test_values_are_the_printed_fractions_rounded_once(scope, exact):
    network = DESIGNS[scope].network
    for _, formula in metrics_in(scope).values():
        value = formula.value(exact, network, parts=formula.units(network))
        assert value == float(formula.printed(exact, network)) or value == formula.printed(exact, network)


@for_each("scope", SCOPES)
def test_every_score_has_a_name_in_objectives_and_is_shown_as_a_metric(scope):
    assert set(objective_names(scope).values()) == set(score_names(scope))
    for name in score_names(scope):
        single, factor = displayed_metric(scope, name), displayed_metric(scope, name, in_product=True)
        assert single[1].exact == factor[1].exact
        assert not factor[1].inverse


def test_objectives_print_the_metrics_of_records():
    network = DESIGNS["cubes"].network
    for name in CUBE_METRICS:
        objective = Lexicographic(name, ((name,),), CUBES)
        found = objective(DESIGNS["cubes"])
        assert objective.printed(found.score, network) == found.metrics[displayed_metric("cubes", name)[0].name]
    assert Lexicographic("both", (("max_load", "cost"),), CUBES).exact_printed_value((6,), network) == Fraction(
        6, 100 * 32
    )
