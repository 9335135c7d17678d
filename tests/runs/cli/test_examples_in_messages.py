"""Messages that something is missing end with a command that has it, to be copied."""

import shlex

from isoplane.runs.config.option_files import head_of
from tests.cases import for_each

AT = "; for example: isoplane "


@for_each("verb", ["import", "check-cables", "export", "verify", "report", "simulate", "compare", "reproduce"])
def test_a_verb_alone_names_what_is_missing_and_one_of_its_examples(isoplane, verb):
    result = isoplane(verb)
    missing, example = result.err.removesuffix("\n").split(AT)
    assert (result.code, result.out, "expected " in missing, "\n" in missing) == (2, "", True, False)
    assert shlex.split(example)[0] == verb
    assert verb == "simulate" or f"isoplane {example}" == head_of(verb)[1][0]


@for_each(
    "words",
    [
        ("export",),
        ("verify",),
        ("report",),
        ("evaluate", "network.n=5"),
        ("evaluate", "network=folded_hypercube", "network.n=3", "network.nodes_per_switch=2"),
        ("export", "network.n=4", "format=[edges]"),
        ("export", "network=torus", "network.shape=[4,4]", "network.routing=dimension_order", "format=opensm"),
    ],
)
def test_examples_that_need_no_file_work(isoplane, no_drawing, words):
    refused = isoplane(*words)
    assert refused.code == 2
    assert isoplane(*shlex.split(refused.err.split(AT)[1])).code == 0


@for_each(
    ("words", "example"),
    [
        (("compare", "nodes=100"), "compare nodes=100 ports=36"),
        (("compare", "ports=12", "throughput=0.9"), "compare ports=12 throughput=0.9 nodes=1024"),
        (("search", "nodes=10"), "search nodes=10 ports=36"),
    ],
)
def test_a_size_that_is_missing_is_added_to_the_words_that_were_given(isoplane, words, example):
    assert isoplane(*words).err.split(AT)[1] == f"{example}\n"


def test_a_search_for_short_paths_names_the_command_that_searches_for_throughput(isoplane, no_drawing):
    words = ("nodes=12", "ports=6", "network=host_graph", "stop.evaluations=300")
    found = isoplane("search", *words, "hydra.run.dir=short").out
    (command,) = (line.partition("90 %: isoplane ")[2] for line in found.splitlines() if "90 %: isoplane " in line)
    priced = isoplane(*shlex.split(command), *words[-1:], "strategy=anneal", "hydra.run.dir=priced")
    assert (priced.code, "Cheapest: host_graph" in priced.out) == (0, True)


def test_only_what_is_missing_has_an_example_and_only_one_that_the_verb_takes(isoplane):
    assert AT not in isoplane("evaluate", "network=torus", "network.shape=[0]").err
    assert AT not in isoplane("export", "record=best", "format=[nothing]").err
    assert AT not in isoplane("export", "record=best", "format=null").err
    refused = isoplane("check-cables", "network.n=3", "found=a.txt").err
    assert refused.split(AT)[1] == "check-cables network.n=3 found=a.txt record=best\n"
    refused = isoplane("check-cables").err
    assert refused.split(AT)[1] == f"{head_of('check-cables')[1][0].removeprefix('isoplane ')}\n"
