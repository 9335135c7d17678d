"""`isoplane compare`: tables, files, page, wrong input; an interrupted comparison ends like one that was not."""

import csv
import errno
import json
import re

import pytest

from isoplane.fleet import Processes
from isoplane.models import InputError
from isoplane.runs.cli import compare as verb
from isoplane.runs.comparison.conclusions import FORMATS
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.folder.folder_lock import kind_of_folder
from isoplane.runs.folder.resume import complete_comparison
from isoplane.runs.records import design_of_record, read_record
from isoplane.runs.terminal.interrupt import INTERRUPT
from tests.cases import for_each
from tests.runs.formats.cabling.files_of import cents, contents
from tests.runs.formats.cabling.files_of import rows as csv_rows
from tests.runs.pages import page_of

SMALL = (
    *("nodes=32", "ports=12", "families=[hypercube,hyperx,leaf_spine,xgft]", "throughput=[0.9,0.5]"),
    "prices.multiples={switch:0.8}",
)


def test_a_comparison_prints_a_table_for_each_throughput_and_writes_its_files(isoplane, tmp_path):
    result = isoplane("compare", *SMALL, "hydra.run.dir=run")
    assert result.code == 0
    tables = [line for line in result.out.splitlines() if line.startswith("at least")]
    assert tables == [f"at least {percent} % of the rate of a node in all-to-all traffic" for percent in (90, 50)]
    rows = list(csv.DictReader((tmp_path / "run" / "comparison.csv").open(encoding="utf-8")))
    content = json.loads((tmp_path / "run" / "comparison.json").read_text(encoding="utf-8"))
    assert len(rows) == len(content["rows"]) == 2 * 9  # two of each, and relabelled cubes
    designs = [row for row in rows if row["design"]]
    assert all(int(row["nodes"]) >= 32 for row in designs)
    assert all(float(row["throughput"]) >= float(row["least_throughput"]) for row in designs)
    for least in ("0.9", "0.5"):
        prices = [float(row["cost_usd_per_node"]) for row in designs if row["least_throughput"] == least]
        assert prices == sorted(prices)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    best = content["rows"][0]
    answer = f"{best['design']}, at {best['values']['cost_usd_per_node']:,.0f} US$ per node, "
    answer += f"{best['values']['cost_usd']:,.0f} US$ in all"
    assert f"{answer}.\n" in result.out
    assert answer in page
    trees = {row["design"]: row["same_network_as"] for row in designs if row["same_network_as"]}
    assert {name[:4]: first[:4] for name, first in trees.items()} == {"xgft": "leaf"}
    assert all(f"{name}: same network as {first}\n" in result.out for name, first in trees.items())
    same = [f"{row['design']} (same network as {row['same_network_as']})" for row in designs if row["same_network_as"]]
    assert [page.count(text) for text in same] == [same.count(text) for text in same]  # where designs are chosen

    # The command of every row exports its cables, at its price.
    for row in (row for row in content["rows"] if "design" in row):
        record = read_record(tmp_path / "run" / row["record"])
        design, values = design_of_record(record), row["values"]
        assert record["metrics"]["aspl"] == pytest.approx(values["aspl"])
        assert record["metrics"]["delay_ns"] == pytest.approx(values["delay_ns"])
        files = contents("cabling", design, nodes=32)
        materials, cables = csv_rows(files["materials.csv"]), csv_rows(files["schedule.csv"])
        assert sum(cents(part["price_usd"]) for part in materials) == round(3200 * values["cost_usd_per_node"])
        assert max(float(cable["length_m"]) for cable in cables) == values["longest_cable_m"]
        assert sum(cable["kind"] == "switch" for cable in cables) == values["cables"]
        for name in (*FORMATS, *(["opensm"] if values["opensm"] else [])):
            assert dict(exporter_named(name).begun(name, Exported(design, record, {"nodes": 32})))
    cells = (cell.text for table in page_of(tmp_path / "run" / "report.html").tables for line in table for cell in line)
    lines = [text for text in cells if text.startswith("isoplane export")]
    assert len(lines) == len(designs)
    assert {re.search(r"record=(\S+)", line)[1] for line in lines} == {row["record"] for row in designs}


def test_any_number_of_workers_writes_the_same_bytes(isoplane, tmp_path):
    for workers in (1, 3):
        words = ("nodes=32", "ports=12", "families=[hyperx,full_mesh]", "throughput=[0.5]", "failures=none")
        assert isoplane("compare", *words, f"workers={workers}", f"hydra.run.dir=w{workers}").code == 0
    for name in ("comparison.csv", "comparison.json", "report.html"):
        assert (tmp_path / "w1" / name).read_bytes() == (tmp_path / "w3" / name).read_bytes()


def test_an_existing_design_whose_numbers_cannot_be_computed_is_named_with_the_reason(isoplane, no_drawing):
    words = ("network.n=3", "network.generators=identical", "network.nodes_per_switch=1")
    assert isoplane("evaluate", *words, "save=built.json").code == 0
    chosen = ("families=[hyperx]", "throughput=0.25", "failures=none", "hydra.run.dir=run", "nodes=8")
    result = isoplane("compare", "existing=built.json", *chosen, "prices.cables_usd=[{length_m:1,price_usd:110}]")
    assert result.code == 4
    assert "no existing built.json: a cable of 2 m: the longest" in result.out


@for_each("budget", ["budget_usd=3200", "budget_usd_per_node=100"])
def test_nothing_within_the_budget_ends_with_code_4(isoplane, tmp_path, budget):
    folder = budget.partition("=")[0]
    words = ("nodes=32", "ports=12", "families=[hypercube,hyperx]", "throughput=0.9", "failures=none")
    result = isoplane("compare", *words, budget, "cable_m=50", f"hydra.run.dir={folder}")
    assert result.code == 4
    prices = re.findall(r"^no .*: costs ([\d.,]+) US\$ per node, [\d.,]+ above the limit of 100$", result.out, re.M)
    assert len(prices) == 5
    assert prices == sorted(prices, key=lambda price: float(price.replace(",", "")))
    assert re.search(rf"^No design has 90 % .* costs {prices[0]} US\$ per node", result.out, re.M)
    page = (tmp_path / folder / "report.html").read_text(encoding="utf-8")
    asked = (
        "32 nodes, switches of 12 ports, 2 ports per node, at most 100 US$ per node, cables up to 50 m, at least 90 %"
    )
    assert f">{asked} of the rate of a node in all-to-all traffic<" in page
    request = json.loads((tmp_path / folder / "comparison.json").read_text(encoding="utf-8"))["request"]
    assert request["budget_usd"] == 3200  # 32 nodes of 100 US$


def switches_and_ports(row):
    """Price of the switches, their number, used and spare ports, as one row of a comparison has them."""
    values = row["values"]
    used = 2 * values["cables"] + 2 * values["nodes"]  # a node has two links
    return values["switch_usd"], values["switches"], used, values["spare_ports"]


def test_whole_switches_are_paid_for_unless_the_rule_is_the_ports_that_are_used(isoplane, tmp_path):
    chosen = ("nodes=32", "ports=12", "families=hyperx", "throughput=0.5", "failures=none")
    for rule, words in (("used", ("prices.by=port",)), ("large", ("prices.switch_ports=16",))):
        result = isoplane("compare", *chosen, *words, f"hydra.run.dir={rule}")
        assert result.code == 0, result.err
        content = json.loads((tmp_path / rule / "comparison.json").read_text(encoding="utf-8"))
        bought = {"used": None, "large": 16}[rule]
        text = "the used ports of switches (prices.by=port)" if bought is None else (
            f"whole switches of {bought} ports, used or not (prices.by=switch)"
        )  # fmt: skip
        assert text in result.out
        assert text in (tmp_path / rule / "report.html").read_text(encoding="utf-8")
        assert content["request"]["prices"].get("switch_ports") == bought
        for row in content["rows"]:
            usd, switches, used, spare = switches_and_ports(row)
            assert spare == switches * (bought or 12) - used
            assert usd == pytest.approx(310.28 * (used if bought is None else bought * switches))
            per_gbps = row["values"]["cost_usd_per_node"] / (200 * min(1, row["values"]["throughput_requested"]))
            assert row["values"]["cost_usd_per_gbps"] == pytest.approx(per_gbps)
            assert row["values"]["cost_usd_per_node"] == row["values"]["cost_usd"] / 32


def test_an_existing_fabric_stands_in_tables_files_and_page_beside_the_best_designs_of_its_size(isoplane, tmp_path):
    (tmp_path / "tree.edges").write_text(TREE, encoding="utf-8")
    (tmp_path / "ring.edges").write_text(RING, encoding="utf-8")
    assert isoplane("import", "file=[tree.edges,ring.edges]", "hydra.run.dir=site").code == 0
    words = ("existing=site/fabric.json", "families=[full_mesh,hyperx]", "ports=8", "throughput=[0.9,0.25]")
    result = isoplane("compare", *words, "hydra.run.dir=run")
    assert result.code == 0, result.err
    name = "existing fabric.json: fabric of 5 + 3 switches"
    assert result.out.count("\nexisting fabric.json: ") == 3  # in two tables, and in the sentence below them
    rows = list(csv.DictReader((tmp_path / "run" / "comparison.csv").open(encoding="utf-8")))
    row = rows[0]
    assert (row["design"], row["existing"], row["least_throughput"]) == (name, "site/fabric.json", "")
    assert [each["existing"] for each in rows[1:]] == [""] * (len(rows) - 1)
    assert (row["nodes"], row["switches"], row["cables"], row["planes"]) == ("6", "8", "9", "2")
    assert all(value == "" for key, value in row.items() if key.startswith("growth"))
    assert row["reason"].startswith("no growth: ")
    content = json.loads((tmp_path / "run" / "comparison.json").read_text(encoding="utf-8"))
    request = content["request"]
    assert [request[key] for key in ("existing", "nodes", "node_ports")] == [["site/fabric.json"], 6, 3]
    evaluated = isoplane("evaluate", *content["rows"][0]["options"].split(), "layout=floor")
    aspl = float(re.search(r"^aspl +(\S+)", evaluated.out, re.M)[1])
    assert aspl == pytest.approx(float(row["aspl"]), rel=1e-5)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    share, spray = (f"{100 * float(row[key]):.1f} %" for key in ("throughput", "throughput_spray"))
    assert f">{name}, has {share} under policy nearest, {spray} under spray at " in page


# A tree of three leaf switches below two others, and a ring as a second plane in which one node has two links.
TREE = "l0 s0\nl0 s1\nl1 s0\nl1 s1\nl2 s0\nl2 s1\nl0 N1\nl0 N2\nl1 N3\nl2 N4\nl2 N5\nl2 N6\n"
RING = "a b\nb c\nc a\na N1\nb N3\nc N6\nc N6\n"


TWO_FAMILIES = (
    "compare",
    "nodes=8",
    "ports=6",
    "throughput=[0.5]",
    "families=[hyperx,random_regular]",
    "workers=1",
)
FAMILIES = "families=[hypercube,hyperx]"
EVERY = ("compare", "nodes=12", "ports=8", "throughput=[0.5]", FAMILIES, "failures=all", "workers=2")
FILES = ("comparison.csv", "comparison.json")


@pytest.fixture
def interrupt_at(monkeypatch):
    """Interrupt comparisons, or their sliders, at the first step whose text contains a word, until told otherwise."""
    whole = {part: getattr(verb, part) for part in ("compare", "interactive")}
    monkeypatch.setattr(INTERRUPT, "requested", False)

    def at(word, part="compare"):
        def steps(*arguments):
            for text, found in whole[part](*arguments):
                INTERRUPT.requested = word is not None and word in text
                yield text, found

        INTERRUPT.requested = False
        monkeypatch.setattr(verb, part, steps)

    return at


@pytest.mark.long
@pytest.mark.parametrize(("words", "word"), [(TWO_FAMILIES, "1 of 4 sizings"), (EVERY, "done")])
def test_a_resumed_comparison_ends_like_one_without_interruption(
    isoplane, no_drawing, tmp_path, interrupt_at, monkeypatch, words, word
):
    whole = isoplane(*words, "hydra.run.dir=whole")
    call = Processes.map
    interrupt_at(word)
    stopped = isoplane(*words, "hydra.run.dir=run")
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err.splitlines()[-1] == f"interrupted; continue with isoplane compare resume={tmp_path / 'run'}"
    assert sorted(file.name for file in (tmp_path / "run").iterdir()) == ["calls.jsonl", "config.yaml"]
    interrupt_at(None)
    called = []
    monkeypatch.setattr(Processes, "map", lambda fleet, run, jobs: called.extend(jobs) or call(fleet, run, jobs))
    resumed = isoplane("compare", "resume=run", "workers=1")
    if word == "done":  # all results are there
        assert not called
    assert resumed.code == whole.code == 0
    records = [str(file.relative_to(tmp_path / "whole")) for file in (tmp_path / "whole" / "records").iterdir()]
    for name in (*FILES, *records):
        assert (tmp_path / "run" / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert not (tmp_path / "run" / "calls.jsonl").exists()
    assert isoplane("compare", "resume=run").out.startswith("nothing to do: run holds a complete comparison")
    rows = complete_comparison(tmp_path / "run")[1]
    shown = isoplane("compare", "resume=run", "format=markdown").out.splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in shown[2:]] == [
        row["design"] for row in rows if "design" in row
    ]


@pytest.mark.long
def test_interrupted_sliders_keep_the_report_and_continue_with_what_is_missing(
    isoplane, tmp_path, interrupt_at, monkeypatch
):
    words = ("nodes=8", "ports=6", "throughput=0.5", "families=[hyperx,leaf_spine]", "failures=none")
    words += ("page=interactive",)
    interrupt_at("sliders: 3 of 24 families", "interactive")
    stopped = isoplane("compare", *words, "workers=1", "hydra.run.dir=run")
    advice = f"interrupted without interactive.html; continue with isoplane compare resume={tmp_path / 'run'}"
    assert (stopped.code, stopped.err.splitlines()[-1]) == (130, advice)
    assert "report: " in stopped.out
    report = {name: (tmp_path / "run" / name).read_text() for name in (*FILES, "report.html")}
    interrupt_at(None, "interactive")
    call, called = Processes.map, []
    monkeypatch.setattr(Processes, "map", lambda fleet, run, jobs: called.extend(jobs) or call(fleet, run, jobs))
    resumed = isoplane("compare", "resume=run", "workers=1")
    assert (resumed.code, len(called)) == (0, 24 - 3)
    assert resumed.out.endswith("sliders: run/interactive.html\n")
    assert "\nsliders: 24 of 24 families at 6 sizes\n" in resumed.err
    assert {name: (tmp_path / "run" / name).read_text() for name in report} == report


def test_what_a_comparison_cannot_continue_with_is_named(isoplane, no_drawing, tmp_path, interrupt_at):
    assert "no run in it; expected the folder of a comparison" in isoplane("compare", "resume=nowhere").err
    interrupt_at("1 of 4 sizings")
    assert isoplane(*TWO_FAMILIES, "hydra.run.dir=run").code == 130
    interrupt_at(None)
    found = isoplane("compare", "resume=run", "nodes=9")
    assert (found.code, found.out) == (2, "")
    assert "resume=run, nodes=9: fixed by the comparison; expected workers, fleet, columns, format" in found.err
    again = isoplane(*TWO_FAMILIES, "hydra.run.dir=run").err
    assert "holds a run already; expected a new or empty folder, or isoplane compare resume=" in again
    journal = tmp_path / "run" / "calls.jsonl"
    (line,) = journal.read_text().splitlines()
    assert set(json.loads(line)) == {"id", "result"}
    journal.write_text(f"{line[:-1]}\n")
    assert "calls.jsonl: damaged" in isoplane("compare", "resume=run").err
    journal.write_text(f"{line}\n{line[:50]}")  # a line that was cut by a kill is dropped
    assert isoplane("compare", "resume=run").code == 0


@for_each(
    ("rows", "code"),
    [([{"existing": None, "design": "4x4"}], 0), ([{"existing": None}, {"existing": "a.json", "design": "4"}], 4)],
)
def test_a_complete_comparison_returns_its_exit_code_again(tmp_path, rows, code):
    (tmp_path / "report.html").unlink(missing_ok=True)
    (tmp_path / "comparison.json").write_text(json.dumps({"rows": rows}))
    assert complete_comparison(tmp_path) is None
    (tmp_path / "report.html").touch()
    assert complete_comparison(tmp_path) == (code, rows)
    (tmp_path / "comparison.json").write_text("[]")
    with pytest.raises(InputError, match=r"comparison.json: damaged .*; expected that of a comparison"):
        complete_comparison(tmp_path)


def test_an_error_of_the_system_says_how_to_continue(isoplane, no_drawing, tmp_path, monkeypatch):
    def fails(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(verb, "compare", fails)
    found = isoplane(*TWO_FAMILIES, "hydra.run.dir=run")
    assert (found.code, found.out) == (2, "")
    assert f"continue with isoplane compare resume={tmp_path / 'run'}" in found.err
    assert kind_of_folder(tmp_path / "run") == "comparison"  # before it has any result
