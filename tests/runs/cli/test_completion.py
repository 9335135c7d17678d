"""Completion scripts against the shells they are for, with the words that the help has."""

import shlex
import shutil
import subprocess

import pytest

from isoplane.runs.cli.completion import SHELLS, completion
from isoplane.runs.cli.usage import VERBS
from isoplane.runs.config import option_files
from tests.cases import for_each

COMPLETE = """
complete_line() {
    COMP_LINE=$1; COMP_POINT=${#1}; read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _isoplane; echo "${COMPREPLY[*]}"
}
"""


@pytest.fixture(scope="module")
def completed():
    """What bash completes a line to."""

    def words(*lines):
        script = "\n".join([completion("bash"), COMPLETE, *(f"complete_line {shlex.quote(line)}" for line in lines)])
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        assert result.stderr == ""
        return [line.split() for line in result.stdout.split("\n")[:-1]]

    return words


def test_bash_completes_verbs_keys_and_choices(completed):
    (verbs,) = completed("isoplane ")
    assert set(VERBS) <= set(verbs)
    for verb, keys in zip(VERBS, completed(*(f"isoplane {verb} " for verb in VERBS)), strict=True):
        own = [key for key in option_files.options_of(verb) if "." not in key]
        assert {f"{key}=" for key in [*own, *option_files.groups_of(verb)]} <= set(keys)
    assert completed(
        "isoplane s",
        "isoplane search network=t",
        "isoplane search network=torus network.rout",
        "isoplane evaluate any_routing=",
        "isoplane check-cables ports=e",
        "isoplane compare ports=",
        "isoplane search strategy=neigh",
        "isoplane search hydra.launcher.mem",
    ) == [
        ["search", "simulate", "serve"],
        ["torus"],
        ["network.routing="],
        ["true", "false"],
        ["exact"],
        [],
        ["neighbourhood"],
        ["hydra.launcher.mem_gb="],
    ]
    assert completed(
        "isoplane export record=/etc/hostnam",
        "isoplane import /etc/hostnam",
        "isoplane import file=[/etc/hostname,/etc/hostnam",
        "isoplane export format=op",
        "isoplane export format=[graphml,opensm",
        "isoplane import kind=ibnet",
        "isoplane search /etc/hostnam",
    ) == [
        ["/etc/hostname"],
        ["/etc/hostname"],
        ["[/etc/hostname,/etc/hostname"],
        ["opensm", "optical_switch"],
        ["[graphml,opensm"],
        ["ibnetdiscover"],
        [],
    ]


def test_bash_completes_lists_and_words_in_quotes(completed):
    # Of a word that begins with a quote, bash replaces all of it; else what follows the key.
    assert completed(
        "isoplane search network=torus,mes",
        "isoplane search 'network=tor",
        "isoplane export 'format=[graphml,opens",
        'isoplane export "format=[graphml,opens',
        "isoplane export format='[graphml,opens",
        "isoplane search objective='aspl,cab",
        "isoplane search 'objective=aspl,cab",
        "isoplane import 'file=[/etc/hostname,/etc/hostnam",
        "isoplane search network.n=3,",
    ) == [
        ["torus,mesh"],
        ["network=torus"],
        ["format=[graphml,opensm"],
        ["format=[graphml,opensm"],
        ["'[graphml,opensm"],
        ["'aspl,cable_length"],
        ["objective=aspl,cable_length"],
        ["file=[/etc/hostname,/etc/hostname"],
        [],
    ]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@for_each(
    ("line", "found"),
    [
        ("isoplane export format=[graphml,opens", "format=[graphml,opensm"),
        ("isoplane export 'format=[graphml,opens", "format=[graphml,opensm"),
        ("isoplane search network=torus,mes", "network=torus,mesh"),
        ("isoplane import file=[/etc/hostname,/etc/hostnam", "file=[/etc/hostname,/etc/hostname"),
    ],
)
def test_fish_completes_lists(tmp_path, line, found):
    (tmp_path / "script").write_text(completion("fish"))
    script = f"source script; complete -C {shlex.quote(line)}"
    result = subprocess.run(
        ["fish", "--no-config", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert [shown.split("\t")[0] for shown in result.stdout.splitlines()] == [found]


def test_bash_completes_every_choice_of_every_group(completed):
    groups = [*option_files.groups_of("simulate"), *option_files.SWEEPS]
    for group, words in zip(groups, completed(*(f"isoplane simulate {group}=" for group in groups)), strict=True):
        assert words == list(option_files.choices_of(group))


@for_each("shell", [shell for shell in SHELLS if shutil.which(shell)])
def test_a_shell_reads_its_script(isoplane, tmp_path, shell):
    result = isoplane("--completion", shell)
    assert (result.code, result.err) == (0, "")
    (tmp_path / "script").write_text(result.out)
    assert subprocess.run([shell, "-n", "script"], cwd=tmp_path, capture_output=True).stderr == b""


@for_each("words", [("--completion",), ("--completion", "csh"), ("--completion=csh",)])
def test_an_unknown_shell_is_refused(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"isoplane: --completion={'csh' if 'csh' in words[-1] else ''}: expected bash, zsh, fish\n"


def test_fish_says_what_each_choice_and_flag_is():
    lines = completion("fish").splitlines()
    for group in option_files.group_names():
        for choice, title in option_files.choices_of(group).items():
            quoted = "'" + title.replace("'", "\\'") + "'"
            described = f"-a '{group}={choice}' -d {quoted}"
            is_of_a_verb = any(group in option_files.groups_of(verb) for verb in VERBS)
            assert any(line.endswith(described) for line in lines) == is_of_a_verb, described
    assert all(f"complete -c isoplane -l {flag} -d" in "\n".join(lines) for flag in ("help", "multirun", "cfg"))


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes_from_the_first_time_on(tmp_path):
    (tmp_path / "_isoplane").write_text(completion("zsh"))
    lines = [f"fpath=({tmp_path}); autoload -Uz _isoplane; compadd() {{ print -r -- $@ }}; compdef() {{ print no }}",
             "words=(isoplane sea) CURRENT=2 PREFIX=sea _isoplane"]  # fmt: skip
    shown = subprocess.run(["zsh", "-f", "-c", "; ".join(lines)], capture_output=True, text=True, check=True).stdout
    assert shown == f"-- {' '.join(VERBS)} --help --version --completion\n"
