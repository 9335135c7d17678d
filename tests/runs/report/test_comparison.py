from dataclasses import replace
from fractions import Fraction

from isoplane.models import Design, Network, dual_cube
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.objectives import CUBES
from isoplane.objectives.evaluators import SWITCHES
from isoplane.objectives.scoring.worded_objective import worded_objective
from isoplane.runs.drawing.objective_text import score_text
from isoplane.runs.report.page import key_figures, sentence
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.comparison import comparison, notes
from isoplane.runs.report.sections.loads import loads_by_plane
from tests.cases import for_each
from tests.runs.records.samples import LAYOUT, sample

from .cases import BEST_OF_8, OBJECTIVE, cells, data, facts_of, record


def test_the_sentence_summarises_the_result():
    case = data(8, BEST_OF_8)
    # 800 / 256 = 3.125 hops against n / 2 = 4; 512 / 100 = 5.12 against 4.
    assert sentence(case) == (
        "Two 8-cubes, cabled differently: ASPL 3.125 hops instead of 4 (−21.88 %), diameter 8 instead of 8 (±0 %), "
        "all-to-all traffic 5.12 instead of 4 (+28 %)"
    )
    identical = data(3, (1, 2, 4), folded=True)
    assert sentence(identical).startswith("Two folded 3-cubes, cabled alike: ")


def test_the_sentence_begins_with_a_metric_that_was_minimised_and_names_the_policy_of_different_planes():
    network = data().network
    found = ReportData(sample(network, worded_objective("min cost_usd_per_node", CUBES, network)))
    price = found.design.metrics["cost_usd_per_node"]
    aimed = f"minimised cost per node {price:,.2f} US$ instead"
    assert sentence(found).startswith(f"Two 3-cubes, cabled differently: {aimed}")
    assert sentence(data()).startswith("Two 3-cubes, cabled differently: ASPL")
    torus = Torus(shape=(4, 4), node_cable_m=2)
    for family, under in (
        (Relabelled(plane=torus, places=((*range(1, 16), 0),)), " under policy nearest"),
        (torus, " capacities"),
    ):
        network = Network(family)
        assert sentence(ReportData(sample(network, worded_objective("min aspl", SWITCHES, network)))).endswith(under)


def test_the_table_compares_with_identical_planes_port_aggregate_and_the_published_designs():
    case = data(8, BEST_OF_8)
    assert comparison(case)[0] == (
        "This design",
        "Identical planes",
        "Port-Aggregate",
        "Published DI‑HC",
        "Published DI‑HC‑r",
    )
    # Port-Aggregate is a 9-cube: 4.5 hops. 3.125 is what the paper rounds to 3.13.
    assert cells(case, "Average") == [
        ("3.125", ""),
        ("4", "−21.88 %"),
        ("4.5", "−30.56 %"),
        ("3.13", "equal"),
        ("–", ""),
    ]
    # One node per switch means half as many nodes in Port-Aggregate, so there is no percentage.
    assert cells(case, "All-to-all maximum traffic")[2] == ("2", "")
    assert cells(case, "All-to-all throughput per node") == [
        ("1.28", ""),
        ("1", "+28 %"),
        ("1", "+28 %"),
        ("1.28", "equal"),
        ("1.25", "+2.4 %"),
    ]
    assert cells(case, "Mean delay by the published")[3:] == [("524", "equal"), ("513", "+2.11 %")]
    assert cells(case, "Planes")[:3] == [("2 × 256", ""), ("2 × 256", ""), ("1 × 512", "")]
    assert cells(case, "Ports")[:3] == [("12", ""), ("12", ""), ("13", "")]  # 8 + 4 and 9 + 2 · 2


def test_the_unit_of_the_largest_load_leads_to_the_packets_of_the_busiest_links():
    torus = Torus(shape=(4, 4), node_cable_m=2)
    for family in (Torus(shape=(4, 3)), Relabelled(plane=torus, places=((*range(1, 15), 0, 15),))):
        case = ReportData(sample(Network(family), worded_objective("min aspl", SWITCHES, Network(family))))
        (unit, cells) = next(row[1:] for row in comparison(case)[1] if row[0] == "Load of the busiest link")
        part = Fraction(unit.removesuffix(" packet")) if unit != "packets" else 1
        assert float(int(cells[0][0]) * part) == max(map(max, loads_by_plane(case.design)))


def test_published_costs_and_delays_are_left_out_for_other_racks():
    case = data(8, BEST_OF_8, layout=LAYOUT)
    assert not case.design.as_in_the_paper
    assert cells(case, "Mean delay by the published")[3:] == [("–", ""), ("–", "")]
    assert cells(case, "Average")[3] == ("3.13", "equal")
    assert any("racks, prices or delays differ" in note for note in notes(case))


def test_an_odd_number_of_nodes_per_switch_and_the_largest_cubes_have_no_port_aggregate_and_say_so():
    assert any("dimension 17" in note for note in notes(data(16, tuple(1 << i for i in range(16)), layout=None)))
    case = data(nodes_per_switch=3)
    assert comparison(case)[0] == ("This design", "Identical planes")
    assert any("nodes_per_switch=3" in note for note in notes(case))


def test_without_a_layout_the_table_has_no_cables():
    case = data(layout=None)
    assert not [unit for _, unit, _ in comparison(case)[1] if unit in ("m", "ns", "US$")]
    assert [figure.values["title"] for figure in key_figures(case)] == ["ASPL", "Diameter", "All-to-all traffic"]


def test_the_facts_leave_out_what_is_unknown():
    found = facts_of(data())
    assert not {"Bound", "Status", "Stopped by", "Evaluations", "Time"} & found.keys()
    assert not any("unknown" in text for text in found.values())
    assert found["Score"] == (
        # 24 switch cables of 2 m on average, each counted at both ends: 96,000 mm.
        "sum of distances × max load 24 hops · packets, then mean length of the cables between switches 2 m"
    )
    summary = {"evaluations": 123456, "seconds": 7.891, "stopped_by": "seconds"}
    known = facts_of(ReportData(record(), summary=summary))
    assert (known["Evaluations"], known["Time"], known["Stopped by"]) == ("123,456", "7.89 s", "stopped after 7.9 s")
    assert known["Status"] == "ASPL x load without a known bound, cables without a known bound"


@for_each(
    ("network", "evaluator", "objective", "shown"),
    [
        # The nearer of two planes is at most 2 hops away: 1 on average of the 8 switches.
        (dual_cube(3, (3, 5, 7)), CUBES, "min diameter, then aspl", "diameter 2 hops, then ASPL 1 hops"),
        (dual_cube(3, (3, 5, 7)), CUBES, "max aspl", "ASPL 1 hops"),
        (dual_cube(3, (3, 5, 7)), CUBES, "min 2*aspl + 0.5*max_load, then cost_usd_per_node",
         "min 2*aspl + 0.5*max_load 3.5, then cost per node 1,935.73 US$"),
        # 4 x 4 nodes: a switch has 2 hops to the others on average, itself included.
        (Network(Torus(shape=(4, 4))), SWITCHES, "min diameter, then aspl", "diameter 4 hops, then ASPL 2 hops"),
        (Network(Torus(shape=(4, 4))), SWITCHES, "min diameter, then max throughput_per_node",
         "diameter 4 hops, then all-to-all throughput 1.3333 link capacities"),  # 12 of 16 on the busiest link
    ],
)  # fmt: skip
def test_every_component_of_a_score_is_shown_as_its_metric(network, evaluator, objective, shown):
    stated = worded_objective(objective, evaluator, network)
    assert score_text(stated, stated(Design(network)).score, network) == shown


def test_the_page_of_a_record_without_kernels_shows_its_score_in_units():
    network = Network(Torus(shape=(4, 4)))
    case = ReportData(sample(network, worded_objective("min diameter, then aspl", SWITCHES, network)))
    assert facts_of(case)["Score"] == "diameter 4 hops, then ASPL 2 hops"


def test_a_record_with_wrong_numbers_is_detected():
    changed = record()
    changed["metrics"] = changed["metrics"] | {"aspl": 0.5, "delay_ns": None}
    assert ReportData(changed).disagreements() == ["aspl", "delay_ns"]
    assert ReportData(record()).disagreements() == []


def test_a_single_plane_is_compared_with_two_identical_ones():
    network = Network(replace(data().network.family, planes=data().network.family.planes[:1]))
    case = ReportData(sample(network, OBJECTIVE))
    assert comparison(case)[0] == ("This design", "2 identical planes")
    assert cells(case, "Planes") == [("1 × 8", ""), ("2 × 8", "")]
    assert cells(case, "Average") == [
        ("1.5", ""),
        ("1.5", "±0 %"),
    ]  # identical planes: the nearer one is as far as the other
