"""Whatever is wrong with a command, it ends with exit code 2 and one line on standard error, and writes no file."""

import json
import subprocess
import sys

import pytest

from isoplane.runs.cli.main import VERBS
from isoplane.runs.terminal.messages import CUT, LONGEST
from tests.cases import for_each

from .conftest import files, messages

STRATEGIES = "expected anneal, auto, balanced, enumerate, exact, greedy, matching, neighbourhood, pareto, portfolio"


def error_line(result, verb="search"):
    """The only line that a rejected command prints."""
    assert result.code == 2
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert line.startswith(f"isoplane {verb}: ")
    return line


@for_each("words", [("find",), ("--versions",), ("",)])
def test_an_unknown_verb_is_rejected_with_a_list_of_the_verbs(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"isoplane: verb {words[0]!r}: expected {', '.join(VERBS)}\n"


@for_each(
    ("words", "message"),
    [
        (("search", "hydra.run.dri=x"), "hydra.run.dri: unknown; expected "),
        (("search", "strategy=tabu"), f"strategy=tabu: {STRATEGIES}"),
        (("search", "strategy=3"), f"strategy=3: {STRATEGIES}"),
        (("search", "--multirun", "strategy=exact,tabu"), f"strategy=tabu: {STRATEGIES}"),
        (("search", "hydra/launcher=cluster"), "hydra/launcher=cluster: expected basic, processes, ray_tasks, slurm"),
        (("search", "hydra/launcher=basic"), "hydra/launcher=basic: has no effect without --multirun; expected --mul"),
        (("best", "hydra/sweeper=basic"), "hydra/sweeper=basic: has no effect without --multirun; expected --multirun"),
        (("search", "hydra.launcher.jobs=2"), "hydra.launcher.jobs: unknown; expected no keys"),
        (("search", "hydra.launcher.mem_gb=2"), "mem_gb: unknown; known with hydra/launcher=slurm"),
        (("compare", "page.nodes=[8]"), "page.nodes: unknown; known with page=interactive"),
        (("compare", "network.policy=spray"), "sizes are for nearest; expected columns=[design,throughput_spray,aspl_"),
        (("search", "hydra.sweeper.jobs=2"), "hydra.sweeper.jobs: unknown; expected max_batch_size, params"),
        (("search", "+experiment=hosomi/fig3"), "+experiment=hosomi/fig3: experiments are published figures; allowed"),
        (("search", "colour=red"), "colour: unknown; expected budget_usd_per_node, cable_m, diameter, fleet"),
        (("search", "strategy=anneal", "strategy.colour=1"), "strategy.colour: unknown; expected chains, coolest"),
        (("search", "strategy=anneal", "+strategy.foo=null"), "strategy.foo: unknown; expected chains, coolest"),
        (("search", "--multirun", "strategy=exact,anneal", "stop.gab=1"), "stop.gab: unknown; expected evaluations,"),
        (("search", "-m", "objective=aspl,cost", "hydra.sweep.jobs=2"), "hydra.sweep.jobs: unknown; expected dir, sub"),
        (("search", "-m", "objective=aspl,cost", "hydra.launcher.a=2"), "hydra.launcher.a: unknown; expected no keys"),
        (("search", "objective=diameter"), ", throughput, or a metric as in objective='min diameter'"),
        (("search", "-m", "objective=tabu,aspl", "colour=red"), "objective=tabu: expected aspl, aspl_and_traffic, a"),
        (("search", "~seed"), "seed: missing; give it a value"),
        (("simulate", "fleet=ray"), "fleet: unknown; expected failed_cables, failed_switches, hardware"),
        (("simulate", "stop.seconds=5"), "traffic, workers; known to isoplane search, isoplane reproduce"),
        (("evaluate", "file=a.txt"), "subject_to, switch; known to isoplane import FILE"),
        (("best", "layout=none"), "layout: unknown; expected family, format, log, n"),
        (("evaluate", "+colour=red"), ", layout, log, messages_start, "),
        (("evaluate", "+log=a"), "+log=a: expected log=a, without +"),
        (("evaluate", "network=torus", "layout=none", "subject_to=cables <= 9, cost <= 3"), "cost <= 3: needs a"),
        (("search", "network={a: 1}"), "network={a: 1}: expected direct_hypercube, dragonfly"),
        (
            ("search", "network=relabelled", "objective=min max_traffic"),
            "throughput_per_node that of any network; unknown metric max_traffic; relabelled planes expect",
        ),
        (("search", "objective=[1,2]"), "objective=[1,2]: expected aspl, aspl_and_traffic"),
        (("search", "-m", "hydra.launcher=slurm"), "hydra.launcher=slurm: has keys of its own; expected hydra"),
        (("search", "-m", "hydra.sweeper=x", "--cfg", "job"), "hydra.sweeper=x: has keys of its own; expected hydra/s"),
        (("search", "seed=["), "'seed=[': expected overrides key=value"),
        (("search", "seed=${colour}"), "'colour'"),
        (("search", "network.n=3,4"), "network.n=3,4"),
        (("search", "--colour"), "--colour: unknown flag"),
        (("search", "--cfg", "colour"), "'colour' (choose from"),
        (("search", "-m", "seed=1,2", "--cfg", "all"), "--multirun --cfg: expected --cfg job alone, which lists"),
        (("search", "-m", "strategy=exact,tabu", "--cfg", "job"), f"strategy=tabu: {STRATEGIES}"),
        (("search", "--config-dir", "missing"), "missing' not found"),
        (("search", "--config-name", "config", "hydra.run.dir=run"), "--config-name: not supported, "),
        (("search", "-cp=conf"), "--config-path: not supported, "),
        (("search", "hydra.run.dir=null"), "hydra.run.dir=null"),
        (("search", "network.n=99", "hydra.run.dir=a/b/c"), "network.n=99"),
        # These are detected only when the search starts.
        (("search", "network.n=11", "strategy=exact"), "network.n=11: strategy=exact expects an integer from 2 to"),
        (("search", "network.n=3", "strategy=pareto"), "strategy=pareto: objective=aspl_and_traffic is one score"),
        # Hydra writes no files of its own.
        (("search", "hydra.output_subdir=.hydra"), "hydra.output_subdir=.hydra: expected null"),
        (("search", "hydra/job_logging=default"), "hydra/job_logging: would write a file into the folder of a run"),
        (("search", "hydra.sweep.dir=sweep"), "hydra.sweep.dir=sweep: has no effect; expected hydra.run.dir"),
        (("search", "-m", "hydra.run.dir=run"), "hydra.run.dir=run: has no effect; expected hydra.sweep.dir"),
        (("search", "--experimental-rerun=old.pickle"), "--experimental-rerun: it would run code from a file"),
        # The current folder has a name.
        (("search", "hydra.run.dir="), "hydra.run.dir=: expected a folder; the current one is ."),
        (("search", "++hydra.run.dir=''"), "++hydra.run.dir='': expected a folder; the current one is ."),
        (("search", "-m", "seed=1,2", "hydra.sweep.dir="), "hydra.sweep.dir=: expected a folder; the current one is ."),
        (("search", "-m", "seed=1,2", "hydra.sweep.subdir="), "hydra.sweep.subdir=: expected a folder; the current"),
        (("verify", "record=missing.json"), "record=missing.json: no such file"),
        (("evaluate", "network.n=3", "network.generators=[1,2,3]"), "not a basis, since 3 = 1 ^ 2"),
        (("report", "run=a", "sweep=b"), "run=a, sweep=b: expected one of"),
        (("best", "objective=beauty"), "objective=beauty: expected aspl, aspl_and_traffic"),
        (("reproduce", "experiment=fig3"), "experiment=fig3: expected hirasawa/best_cubes,"),
        (("compare", "nodes=1", "ports=8"), "nodes=1: expected an integer from 2"),
        (("export", "network=torus", "format=gif"), "format=gif: expected some of "),
        (("import", "file=a"), "file=a: No such file or directory; expected a file"),
        (("check-cables", "network=torus", "found=a"), "found=a: No such file or directory; expected a file"),
        (("simulate", "network=torus", "loads=[0]"), "loads=0: expected a number above 0"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_command_is_one_line_and_no_file_is_written(isoplane, tmp_path, words, message):
    assert message in error_line(isoplane(*words), words[0])
    assert files(tmp_path) == []


def test_an_existing_folder_is_kept(isoplane, tmp_path):
    (tmp_path / "mine" / "run").mkdir(parents=True)
    error_line(isoplane("search", "network.n=99", "hydra.run.dir=mine/run"))
    error_line(isoplane("search", "network.n=99", "hydra.run.dir=mine/other/run"))
    assert files(tmp_path) == ["mine", "mine/run"]


@for_each(
    ("verb", "folder"),
    [("search", "file/run"), ("search", "file"), ("search", "/proc/isoplane"), ("reproduce", "/dev/null/run")],
)
def test_a_folder_that_cannot_be_created_is_named_in_the_error(isoplane, tmp_path, verb, folder):
    (tmp_path / "file").write_text("mine")
    words = ("network.n=3",) if verb == "search" else ("experiment=hosomi/fig3", "sizes=[2]")
    line = error_line(isoplane(verb, *words, f"hydra.run.dir={folder}"), verb)
    assert folder in line
    assert "expected a place" in line
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["history.csv", "records"])
def test_a_folder_with_part_of_a_run_is_not_reused(isoplane, tmp_path, name):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).write_text("mine")
    line = error_line(isoplane("search", "network.n=3", "hydra.run.dir=run"))
    assert "run: holds a run already; expected a new or empty folder" in line
    assert files(tmp_path) == ["run", f"run/{name}"]
    assert (tmp_path / "run" / name).read_text() == "mine"


@for_each("use", ["evaluate record", "report record", "search warm_start"])
def test_an_altered_record_is_rejected_wherever_records_are_used(isoplane, tmp_path, record, use):
    altered = json.loads(record.read_text(encoding="utf-8"))
    altered["network"]["planes"][1]["generators"] = [1, 2, 4]
    record.write_text(json.dumps(altered), encoding="utf-8")
    verb, key = use.split()
    line = error_line(isoplane(verb, f"{key}={record}"), verb)
    assert f"{record}: the record was altered" in line
    assert files(tmp_path) == []


LONG = 1500
DIGITS, NAME = "1" * LONG, "x" * LONG


@for_each(
    "words",
    [
        (NAME,),
        ("evaluate", f"--{NAME}"),
        ("evaluate", f"network.{NAME}=1"),
        ("evaluate", f"network={NAME}"),
        ("evaluate", "network.n=3", f"network.generators=[{','.join(['3'] * LONG)}]"),
        ("evaluate", f"record={'x' * 200}/{'y' * 200}/{'z' * 200}/{'w' * 200}"),
        ("export", "network=torus", f"format=[{NAME}]"),
        ("compare", f"nodes={DIGITS}"),
    ],
)
def test_an_error_is_one_line_of_bounded_length_whatever_the_input(isoplane, tmp_path, words):
    result = isoplane(*words)
    (line,) = messages(result.err)
    assert (result.code, result.out) == (2, "")
    assert line.startswith("isoplane")
    assert len(line) <= LONGEST
    assert list(tmp_path.iterdir()) == []


def test_of_a_long_message_the_end_is_kept_because_it_says_what_is_expected(isoplane):
    (message,) = messages(isoplane("evaluate", f"network={'x' * 240}").err)
    assert message.startswith("isoplane evaluate: network=xxx")
    assert CUT in message
    assert message.endswith(", xgft, xpander")


LIMITED = """
import resource, sys
from pathlib import Path
from isoplane.runs.cli.main import main
import isoplane.runs.cli.evaluate
pages = int(Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (48 << 20),) * 2)
sys.exit(main(sys.argv[1:]))
"""


def test_too_little_memory_ends_a_verb_with_one_line(tmp_path):
    words = ("evaluate", "network=torus", "network.shape=[64,64,64]")
    result = subprocess.run([sys.executable, "-c", LIMITED, *words], cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, ""), result.stderr[-2000:]
    (line,) = messages(result.stderr)
    assert line.startswith("isoplane evaluate: not enough memory")
    assert "; expected more than the limit of " in line
    assert not list(tmp_path.glob("**/*.json"))


TOO_SMALL = """
import resource, sys
from isoplane.runs.cli.main import main
resource.setrlimit(resource.RLIMIT_AS, (1 << 26,) * 2)
sys.exit(main(["evaluate", "network=torus"]))
"""


def test_too_little_memory_for_libraries_ends_the_program_with_one_line():
    result = subprocess.run([sys.executable, "-c", TOO_SMALL], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr[-2000:]
    assert result.stderr.startswith("isoplane evaluate: not enough memory")


def test_the_name_of_a_network_shows_its_options(isoplane):
    named = isoplane("search", "--help", "relabelled")
    assert named.out == isoplane("search", "--help", "network=relabelled").out
    assert "network.rates_gbps" in named.out
