"""Words as people type them: files without a key, units, powers of ten, the best known record, thousands."""

import json
from pathlib import Path

import pytest

from isoplane.runs.cli.typed_words import SCALES, typed_words
from isoplane.runs.config import option_files
from isoplane.runs.config.best_record import SHIPPED
from isoplane.runs.folder.folder_lock import kind_of_folder
from isoplane.runs.records import read_record
from tests.cases import for_each

from .conftest import files


@for_each(
    ("verb", "words", "overrides"),
    [
        ("import", ["net.txt"], ["file=net.txt"]),
        ("import", ["a.txt", "b.txt", "kind=edges"], ["file=[a.txt,b.txt]", "kind=edges"]),
        ("verify", ["run 1/best, too.json"], ["record='run 1/best, too.json'"]),
        ("simulate", ["torus.ndl", "seed=3"], ["program=torus.ndl", "seed=3"]),
        ("reproduce", ["hosomi/fig3"], ["experiment=hosomi/fig3"]),
        ("report", ["best.json"], ["record=best.json"]),
        ("search", ["network.n=3", "stop.evaluations=1e6"], ["network.n=3", "stop.evaluations=1000000"]),
        ("search", ["stop.seconds=1.5min", "stop.target=1e6"], ["stop.seconds=90", "stop.target=1e6"]),
        ("search", ["+seed=2e3", "++workers=2"], ["+seed=2000", "++workers=2"]),
        ("compare", ["cable_m=30m", "budget_usd=2500USD"], ["cable_m=30", "budget_usd=2500"]),
        ("compare", ["cable_m=3000 cm", "nodes=1.5e3"], ["cable_m=30", "nodes=1500"]),
        ("evaluate", ["workload.message_bytes=1MB", "switch.delay_ns=0.09us"], None),
        (
            "search",
            ["subject_to=longest_cable_m <= 30m, delay_ns<=0.8us, cost_usd_per_node <= 3400$, aspl <= 2m"],
            ["subject_to='longest_cable_m <= 30, delay_ns<=800, cost_usd_per_node <= 3400, aspl <= 2m'"],
        ),
        ("search", ['objective="min delay_ns, then aspl"'], ["objective.name='min delay_ns, then aspl'"]),
        ("search", ["objective='a.b:c'"], ["objective.name='a.b:c'"]),
        ("evaluate", ["objective=a:b", "objective=delay"], ["objective.name='a:b'", "objective.name=delay"]),
        ("search", ['subject_to="cable_length_m <= 300cm"'], ["subject_to='cable_length_m <= 3'"]),
        # Those that are no such words stay as they are.
        ("compare", ["cable_m=30ns", "nodes=1.5e0"], ["cable_m=30ns", "nodes=1.5e0"]),
        ("search", ["seed", "network=torus"], ["seed", "network=torus"]),
        ("search", ["~workload", "hydra.run.dir=1e3"], ["~workload", "hydra.run.dir=1e3"]),
        ("evaluate", ["network=torus", "placement=1e3"], ["network=torus", "placement=1e3"]),
    ],
)  # fmt: skip
def test_words_become_overrides(verb, words, overrides):
    expected = ["workload.message_bytes=1000000", "switch.delay_ns=90"] if overrides is None else overrides
    assert typed_words(verb, words) == expected


def test_units_of_lengths_times_and_sizes_are_powers_of_ten_of_each_other():
    units = {option["unit"] for verb in ("search", "compare", "simulate", "import") for option in [
        *option_files.options_of(verb).values(),
        *(option for group in option_files.groups_of(verb) for choice in option_files.choices_of(group)
          for option in option_files.keys_of(group, choice).values()),
    ]}  # fmt: skip
    assert {"m", "ns", "µs", "s", "bytes", "Gbit/s", "W", "US$", "US$ per node"} == SCALES.keys() & units
    assert float(SCALES["ns"]["s"]) == 1e9 * float(SCALES["s"]["s"])
    assert float(SCALES["µs"]["ms"]) * float(SCALES["ns"]["us"]) == float(SCALES["ns"]["ms"])


@for_each("sweep", [False, True])
@for_each("word", ["nodes=1,500", "budget_usd_per_node=4,000", "seed=1,000,000"])
def test_a_comma_of_thousands_is_refused_unless_it_can_be_a_sweep(word, sweep):
    if sweep:
        assert typed_words("compare", [word], sweep=True) == [word]
        return
    with pytest.raises(ValueError, match=rf"^{word}: expected ") as error:
        typed_words("compare", [word])
    assert f"{word.replace(',', '')} for one number, or --multirun {word} for a sweep" in str(error.value)


@for_each(
    ("words", "message"),
    [
        (("compare", "nodes=1,500", "ports=40"), "nodes=1,500: expected nodes=1500 for one number, or --multirun"),
        (("verify", "a.json", "b.json"), "a.json, b.json: expected one of them, or --multirun before"),
        (("verify", "a.json", "record=b.json"), "a.json, record=b.json: expected one of them"),
        (("verify", "a.json"), "record=a.json: no such file"),
        (("evaluate", "torus", "network=mesh"), "torus, network=mesh: expected one of them"),
        (("evaluate", "record=best", "network.n=99"), "record=best, network=hypercube, network.n=99: no such record"),
        (
            ("evaluate", "record=best", "network=torus"),
            "record=best, network=torus: no such record; expected network=folded_hypercube, hypercube, relabelled\n",
        ),
        (
            ("evaluate", "record=best", "network.planes=3"),
            "record=best, network=hypercube, network.n=8, network.planes=3: no such record; expected network.planes=2",
        ),
        (
            ("verify", "record=best", "network=relabelled", "objective=delay"),
            "record=best, network=relabelled, objective=delay: no such record; expected objective=aspl, max_traffic\n",
        ),
        (("verify", "record=best", "network.generators=identical"), "network.generators=identical: has no effect here"),
    ],
)
def test_words_that_cannot_be_understood_are_refused_in_one_line(isoplane, tmp_path, words, message):
    result = isoplane(*words)
    assert (result.code, result.out, result.err.count("\n"), files(tmp_path)) == (2, "", 1, [])
    assert result.err.startswith(f"isoplane {words[0]}: {message}")


def test_record_best_is_the_best_known_design_of_the_network(isoplane, record):
    alone = isoplane("evaluate")
    assert (alone.code, alone.err) == (0, "")
    assert alone == isoplane("evaluate", "record=best")
    (word,) = typed_words("evaluate", [])
    path = Path(word.removeprefix("record="))
    assert path.parent == SHIPPED
    generators = read_record(path)["network"]["planes"][1]["generators"]
    assert f"plane 1: {' '.join(map(str, generators))}" in alone.out
    folded = isoplane("verify", "record=best", "network=folded_hypercube", "network.n=4")
    assert (folded.code, folded.out.count("folded_hypercube-n4-aspl_and_traffic")) == (0, 1)
    # A file of that name is read as before.
    Path("best").write_bytes(record.read_bytes())
    assert isoplane("verify", "record=best").out.startswith("best: every number agrees with the reference\n")


def test_every_shipped_design_but_those_of_fronts_is_chosen_by_its_network_and_objective():
    found = [path for path in SHIPPED.glob("*.json") if "-front-" not in path.name]
    for path in found:
        record = json.loads(path.read_text())
        network = record["network"]
        words = [f"network={network['family']}", f"objective={record['objective']}"]
        if "plane" in network:
            plane = network["plane"]
            words += [f"network@network.plane={plane['family']}", f"network.plane.n={plane['n']}"]
            words += [f"network.plane.planes={len(plane['planes'])}", f"network.planes={network['planes']}"]
        else:
            words += [f"network.n={network['n']}"]
        assert typed_words("verify", ["record=best", *words, "format=csv"]) == [f"record={path}", "format=csv"]
    assert {path.name.partition("-")[0] for path in found} == {"hypercube", "folded_hypercube", "relabelled"}


def test_cables_are_checked_against_the_best_known_design(isoplane):
    chosen = ("network=relabelled", "network.n=6", "objective=max_traffic")
    assert isoplane("export", "record=best", *chosen, "format=[cabling]", "hydra.run.dir=out").code == 0
    for key in ("record", "design"):
        checked = isoplane("check-cables", f"{key}=best", *chosen, "found=out/cabling/schedule.csv")
        assert (checked.code, checked.err) == (0, "")


def test_a_record_that_was_read_is_saved_as_it_is(isoplane):
    words = ("record=best", "network=relabelled", "network.n=6")
    assert isoplane("evaluate", *words, "save=mine.json").code == 0
    assert read_record("mine.json") == read_record(typed_words("evaluate", list(words))[0].removeprefix("record="))


def test_the_page_of_a_shipped_record_is_written_into_the_current_folder(isoplane, tmp_path, no_drawing):
    result = isoplane("report", "record=best", "network.n=3")
    assert result.code == 0
    assert files(tmp_path) == [result.out.strip()]


def test_a_folder_is_of_what_its_own_files_are_of(tmp_path):
    assert kind_of_folder(tmp_path) is None
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "summary.json").touch()
    assert kind_of_folder(tmp_path) == "sweep"  # as of a search of all sizes
    (tmp_path / "history.csv").touch()
    assert kind_of_folder(tmp_path) == "search"  # in which another run was put
    (tmp_path / "multirun.yaml").touch()
    assert kind_of_folder(tmp_path) == "sweep"
