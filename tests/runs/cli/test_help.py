"""Help, completion and the page of options say of every option what configs, classes and checks say."""

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass

import pytest
import yaml

from isoplane.models import InputError, Layout, PriceList, SwitchModel, family_named
from isoplane.models.site.routing_cache import RoutingCache
from isoplane.runs.cli.help_text import WIDTH, help_text
from isoplane.runs.cli.usage import FIRST, VERBS
from isoplane.runs.config import option_files
from isoplane.runs.config.assignments import workload_of
from isoplane.runs.config.config_values import plain
from isoplane.runs.config.strategies import strategy_of
from isoplane.search import Limits
from isoplane.simulator import Hardware, Precision, Traffic
from tests.cases import for_each
from tests.test_conf import composed, single_choice

from .conftest import files

GROUPS = [*option_files.group_names(), option_files.LAUNCHER]
CHOICES = [(group, choice) for group in GROUPS for choice in option_files.choices_of(group)]
KEYED = [(group, choice) for group, choice in CHOICES if option_files.keys_of(group, choice)]
CLASSES = {
    "layout": Layout,
    "prices": PriceList,
    "switch": SwitchModel,
    "hardware": Hardware,
    "measurement": Precision,
    "traffic": Traffic,
    "stop": Limits,
}
TORUS, JOB = ("network=torus", "network.shape=[3,3]"), ("workload=sparse", "workload.processes=9")
WORDS = re.compile(r"[a-zA-Z_0-9]*[a-z][a-zA-Z_0-9]*")  # choices that are no placeholder such as FILE


def value_of(option):
    return yaml.safe_load(option["default"].replace("...", ""))


@for_each("verb", VERBS)
def test_help_of_a_verb_has_what_it_does_examples_and_its_own_options_in_80_columns(isoplane, tmp_path, verb):
    result = isoplane(verb, "--help")
    assert (result.code, result.err, files(tmp_path)) == (0, "", [])
    assert max(map(len, result.out.splitlines())) <= WIDTH
    assert (text := " ".join(result.out.split())).startswith(f"isoplane {verb} [key=value ...]: {VERBS[verb]}.")
    assert text.count(f"Examples: isoplane {verb}") == 1
    assert [part for part in option_files.head_of(verb)[0] if not re.fullmatch(r"[A-Z].*\.", part)] == []  # whole lines
    shown = re.findall(r"^  ([\w.]+)(?:=\S+)?(?: |$)", result.out.partition("\nOptions:\n")[2], re.MULTILINE)
    assert shown[: len(option_files.options_of(verb))] == list(option_files.options_of(verb))
    assert {*shown} - {"hydra.run.dir", "hydra.sweep.dir"} == {
        *option_files.options_of(verb),
        *option_files.groups_of(verb),
    }


@for_each("verb", VERBS)
def test_options_and_their_defaults_are_those_of_the_composed_config(verb):
    config = composed(verb)
    own, groups = option_files.options_of(verb), option_files.groups_of(verb)
    common = option_files.options_of(option_files.COMMON)
    assert not {*config} & {*common}
    own = {key: option for key, option in own.items() if key not in common}
    nested = {key.partition(".")[0] for key in own if "." in key}
    without_choice = {name for name, (choice, _) in groups.items() if choice == "null"}
    assert {key for key in own if "." not in key} | {*groups} | nested == {*config} | without_choice
    for key, option in own.items():
        value = config
        for part in key.split("."):
            value = value[part]
        assert value == value_of(option), key
    for name, (choice, _) in groups.items():
        given = plain(config.get(name) or {})
        keys = option_files.keys_of(name, choice) if given else {}
        added = {key.removeprefix(f"{name}.") for key in own if key.startswith(f"{name}.")}  # by the verb
        assert {*given} - {*option_files.IDENTITY} == added | {key.partition(".")[0] for key in keys}, name


def test_every_option_has_meaning_unit_default_and_choices():
    tables = {verb: option_files.options_of(verb) for verb in VERBS}
    tables |= {f"{group}={choice}": option_files.keys_of(group, choice) for group, choice in CHOICES}
    assert len(tables) > 100
    lacking = [
        (name, key) for name, table in tables.items() for key, option in table.items() if not all(option.values())
    ]
    assert lacking == []
    assert [verb for verb in VERBS for _, what in option_files.groups_of(verb).values() if not what] == []
    untitled = [choice for group, choice in CHOICES if not option_files.choices_of(group)[choice]]
    assert untitled == []


def test_every_experiment_says_of_what_paper_and_figure_it_is_in_their_order():
    experiments = option_files.choices_of("experiment")
    for name, title in experiments.items():
        paper, _, figure = name.partition("/")
        number = figure.removeprefix("fig").partition("_")[0]
        assert title.startswith(f"{paper.capitalize()}, figure {number}: " if number.isdigit() else paper.capitalize())
    names = [name for name in experiments if name.startswith("hirasawa/fig")]
    assert names == sorted(names, key=lambda name: int(name.removeprefix("hirasawa/fig")))


def class_of(group, choice):
    if group == "network":
        return family_named(choice)
    if group == "strategy":
        return type(strategy_of(single_choice(group, choice)))
    return CLASSES.get(group)


@for_each(("group", "choice"), [pair for pair in KEYED if class_of(*pair) is not None])
def test_every_option_of_a_class_is_in_the_parameters_of_its_docstring(group, choice):
    kind = class_of(group, choice)
    assert is_dataclass(kind)
    described = " ".join(base.__doc__ or "" for base in kind.__mro__)
    names = {field.name for field in fields(kind)}
    for key in option_files.keys_of(group, choice):
        if "." not in key and key in names:
            assert re.search(rf"^    [\w, ]*\b{key}\b[\w, ]*$", described.replace("\n\n", "\n"), re.MULTILINE), key


# Cubes are read from records, others have files or networks as parts.
PARTS = ("hypercube", "folded_hypercube", "fabric", "graph", "multi_plane", "optical_overlay", "relabelled")
ENUMERATED = [
    (choice, key)
    for group, choice in KEYED
    if group == "network" and choice not in PARTS
    for key, option in option_files.keys_of(group, choice).items()
    if len(WORDS.findall(option["choices"])) > 1 and option["choices"] != option_files.BOOLEAN and key != "placement"
]


@for_each(("choice", "key"), ENUMERATED)
def test_the_choices_of_an_option_are_those_that_its_check_names(choice, key):
    keys = option_files.keys_of("network", choice)
    values = {name: value_of(option) for name, option in keys.items() if name not in family_named(choice).design_keys}
    with pytest.raises(InputError) as error:
        family_named(choice).read({**values, key: "no_such"})
    expected = set(WORDS.findall(str(error.value).partition("expected ")[2]))
    assert set(WORDS.findall(keys[key]["choices"])) <= expected


def named(words):
    """The choices among words: those that are no placeholder such as FILE."""
    return {word for word in words if WORDS.fullmatch(word)}


def refused(group, choice, key):
    """The error for a wrong value of an option of a group."""
    options = option_files.keys_of(group, choice)
    values = {name: value_of(option) for name, option in options.items() if "." not in name}
    if key.startswith("cache."):
        RoutingCache(**{key.partition(".")[2]: "no_such"})
    elif group == "workload":
        workload_of({"workload": {"kind": choice, **values, key: "no_such"}})
    elif group == "strategy":
        strategy_of({"strategy": {"_target_": "isoplane.search.ProgramCircuits", **values, key: "no_such"}})
    else:
        CLASSES[group](**{key: "no_such"}, **({"load": 1} if group == "traffic" else {}))


@for_each(
    ("group", "choice", "key"),
    [
        (group, choice, key)
        for group, choice in KEYED
        if group not in ("network", "msccl")
        for key, option in option_files.keys_of(group, choice).items()
        if len(named(option["choices"].split(", "))) > 1 and option["choices"] != option_files.BOOLEAN
    ],
)
def test_the_choices_of_an_option_of_a_group_are_those_that_its_check_names(group, choice, key):
    with pytest.raises(InputError) as error:
        refused(group, choice, key)
    expected = named(re.split(r", | or ", str(error.value).partition("expected ")[2]))
    assert expected - {"none"} <= named(option_files.keys_of(group, choice)[key]["choices"].split(", "))


@for_each(
    ("words", "key"),
    [
        (("evaluate", *TORUS, *JOB), "placement"),
        (("evaluate", *TORUS, *JOB), "messages_start"),
        (("evaluate", *TORUS, *JOB), "sharing"),
        (("evaluate", *TORUS, *JOB), "steps"),
        (("compare", "nodes=64", "ports=8"), "failures"),
        (("compare", "nodes=64", "ports=8"), "prices.by"),
        (("export", *TORUS, "format=slurm"), "slurm_tree"),
        (("export", *TORUS, "format=phases"), "collective"),
        (("check-cables", *TORUS, "found=cables.csv"), "ports"),
        (("check-cables", *TORUS, "found=cables.csv"), "identify"),
        (("search", "network.n=3"), "judge"),
        (("best",), "family"),
    ],
)
def test_the_choices_of_an_option_of_a_verb_are_those_that_its_check_names(isoplane, tmp_path, words, key):
    (tmp_path / "cables.csv").write_text("")
    result = isoplane(*words, f"{key}=no_such")
    assert (result.code, result.out) == (2, "")
    assert f"{key}='no_such': expected " in result.err.replace("no_such:", "'no_such':").replace("''", "'")
    expected = named(re.split(r", | or ", result.err.partition("expected ")[2].strip()))
    assert named(option_files.options_of(words[0])[key]["choices"].split(", ")) == expected - {"null"}


@for_each(
    ("words", "lines"),
    [
        (("search", "node_ports"), None),
        (("search", "seed"), ["  seed                the seed decides the result"]),
        (("compare", "cable_m"), ["(NUMBER; unit m; default null)"]),
        (("search", "network.shape"), ["switches along each dimension", "of network=hyperx"]),
        (("search", "network=torus"), ["network.ties", "network.shape"]),
        (("reproduce", "experiment"), ["  experiment=hosomi/fig3", "Hosomi, figure 3: average shortest distance"]),
    ],
)
def test_help_explains_an_option_a_group_or_a_choice(isoplane, words, lines):
    verb, topic = words
    results = [isoplane(verb, "--help", topic), isoplane(verb, f"--help={topic}"), isoplane(verb, topic, "-h")]
    results.append(isoplane(verb, "--config-dir", "mine", "--help", topic, "--multirun"))
    assert len({*results}) == 1
    if lines is None:
        assert results[0].code == 2
        assert results[0].err.startswith(f"isoplane {verb}: {topic}: unknown; expected ")
    else:
        assert results[0].code == 0
        assert all(line in results[0].out for line in lines)


@for_each("verb", VERBS)
def test_every_example_of_the_help_uses_options_that_there_are(verb):
    own, groups = option_files.options_of(verb), option_files.groups_of(verb)
    for example in [*option_files.head_of(verb)[1], *FIRST]:
        program, name, *words = example.replace("'", "").split()
        assert program == "isoplane"
        for key in (word.partition("=")[0] for word in words if name == verb):
            assert key in own or key in groups or help_text(verb, [key])


@for_each("words", [["--help"], ["--version"], ["search", "--help"], ["evaluate", "--help", "network"], ["serach"]])
def test_help_and_version_import_neither_hydra_nor_numpy_and_usage_nothing_slower_than_python_itself(words):
    slow = "{'hydra', 'omegaconf', 'numpy', 'yaml', 'isoplane.models.network'}"
    if words in (["--help"], ["--version"]):
        slow += " | {'dataclasses', 'importlib.metadata', 'difflib', 'textwrap'}"
    command = f"import sys; from isoplane.runs.cli.main import main; main({words}); print(({slow}) & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "set()"


@for_each(
    ("words", "meant"),
    [
        (("serach",), "search"),
        (("compare", "lgo=run.log"), "log"),
        (("search", "network=toros"), "torus"),
        (("search", "stop.secnds=3"), "seconds"),
        (("evaluate", "network=torus", "network.routing=up_dwon"), "up_down"),
        (("evaluate", "network=torus", "placement=in_ordr", "workload=sparse", "workload.processes=8"), "in_order"),
        (("search", "--help", "objectve"), "objective"),
        (("search", "--help", "seconds"), "stop.seconds"),
        (("search", "--help", "n"), "network.n"),
        (("search", "--help", "generators"), "network.generators"),
        (("compare", "nodes=64", "ports=8", "families=[torus,fattree]"), "fat_tree"),
    ],
)
def test_an_error_names_the_word_that_was_probably_meant(isoplane, words, meant):
    result = isoplane(*words)
    assert result.code == 2
    assert result.err.endswith(f"; did you mean {meant}?\n")


@for_each("words", [("compare", "--help", "prices.cables_usd"), ("compare", "--help", "prices=infiniband_edr_ranges")])
def test_help_has_the_numbers_of_a_price_list(isoplane, words):
    listed = yaml.safe_load((option_files.CONF / "prices" / "infiniband_edr_ranges.yaml").read_text(encoding="utf-8"))
    text = " ".join(isoplane(*words).out.split())
    entries = (f"{{length_m: {each['length_m']}, price_usd: {each['price_usd']}}}" for each in listed["cables_usd"])
    assert f"default [{', '.join(entries)}]" in text


@for_each("words", [("search", "help"), ("--help", "search"), ("help", "search")])
def test_help_may_stand_before_and_after_a_verb_without_dashes(isoplane, words):
    assert isoplane(*words).out == isoplane("search", "--help").out


@for_each(
    ("words", "part"),
    [
        (("verify",), "record=null: expected record=FILE, program=FILE, or a network"),
        (("search", "network.n", "=", "4"), "network.n =: expected key=value with no spaces around ="),
        (("search", "network.n=", "4"), "network.n= 4: expected key=value with no spaces around ="),
        (("evaluate", "network.n", "=4"), "network.n =4: expected key=value with no spaces around ="),
        (("verify", "record=runs/*.json"), "no such file as the pattern is, which shells do not expand after KEY=;"),
    ],
)
def test_an_error_says_what_is_missing_or_too_much(isoplane, words, part):
    result = isoplane(*words)
    assert (result.code, part in result.err) == (2, True)
