"""The seed decides the result, and `resume=FOLDER` ends like a run that was never disturbed, however often killed."""

import json
import os
import random
import signal
import time
from contextlib import nullcontext
from pathlib import Path

from isoplane.runs.cli.verbs import configured
from isoplane.runs.folder import checkpoint
from isoplane.runs.folder.folder_lock import locked, resume_command
from tests.cases import for_each

from .conftest import HANG_S, files, messages, wait_for

SHORT = ("network.n=10", "strategy.chains=4", "strategy=anneal", "seed=3", "stop.evaluations=2000001")
NO_TIME_LIMIT = "stop.seconds=1000000"
ANNEAL = ("network.n=9", "strategy=anneal", "stop.evaluations=600000")
FRONT = ("network.n=9", "objective=front", "strategy=pareto", "seed=2", "stop.evaluations=900001")


def summary_of(run):
    """The summary without the elapsed time."""
    return {key: value for key, value in json.loads((run / "summary.json").read_text()).items() if key != "seconds"}


def outcome(run):
    """Everything that the seed determines."""
    return *bytes_of(run), summary_of(run)


def test_the_command_that_continues_a_run_has_the_folders_and_the_strategy_that_it_needs(tmp_path):
    folder = tmp_path / "mine" / "strategy"
    folder.mkdir(parents=True)
    (folder / "own.yaml").write_text("_target_: own_code.Own\nsteps: 1\n")
    searched = f"hydra.searchpath=[file://{tmp_path}/mine]"
    for words, kept in (
        (
            (searched, "strategy=own", "strategy.steps=2", "seed=3"),
            (f"'{searched}'", "strategy=own", "strategy.steps=2"),
        ),
        (("strategy=anneal", "strategy.chains=2"), ()),
    ):
        with configured("search", words):
            assert resume_command("search", Path("run")) == " ".join(("isoplane search", *kept, "resume=run"))
    sources = [{"provider": name, "path": f"/{name}"} for name in ("main", "command-line")]
    began = {"hydra": {"runtime": {"config_sources": sources}, "overrides": {"hydra": []}}}
    (tmp_path / "multirun.yaml").write_text(json.dumps(began))  # which is YAML, too
    assert resume_command("search", tmp_path) == f"isoplane search --config-dir /command-line resume={tmp_path}"


def test_a_run_killed_again_and_again_ends_like_an_undisturbed_one(search_once, start_isoplane, tmp_path):
    run, rng = tmp_path / "run", random.Random(5)
    process, _, _ = start_isoplane("search", *FRONT, "hydra.run.dir=run")
    kills = 0
    for _ in range(2):
        wait_for(run / "config.yaml")
        time.sleep(rng.uniform(0, 0.4))
        os.kill(process.pid, signal.SIGKILL)
        process.join(HANG_S)
        kills += process.exitcode == -signal.SIGKILL
        process, _, _ = start_isoplane("search", "resume=run", f"workers={rng.randint(1, 2)}")
    process.join(HANG_S)
    assert process.exitcode == 0
    assert kills > 0
    assert outcome(run) == outcome(search_once(*FRONT)[1])
    assert not [name for name in files(run) if name.endswith(".tmp")]


def test_resuming_with_a_larger_limit_equals_starting_with_it(isoplane, search_once, tmp_path, no_drawing):
    assert isoplane("search", *FRONT, "stop.evaluations=500001", "hydra.run.dir=run").code == 0
    config = (tmp_path / "run" / "config.yaml").read_bytes()
    resumed = isoplane("search", "resume=run", "stop.evaluations=900001", "workers=2")
    assert resumed.code == 0
    assert outcome(tmp_path / "run") == outcome(search_once(*FRONT)[1])
    assert (tmp_path / "run" / "config.yaml").read_bytes() == config


def test_a_proof_has_the_same_bytes_however_often_it_was_interrupted(isoplane, tmp_path, no_drawing):
    words = ("network.n=6", "layout=none", "objective=aspl", "strategy=exact", "strategy.head_start=64")
    assert isoplane("search", *words, "workers=2", "hydra.run.dir=uninterrupted").code == 0
    # Limits below the 18742 classes of bases that could win. With a limit, units are run one by one.
    assert isoplane("search", *words, "stop.evaluations=100", "hydra.run.dir=run").code == 0
    for evaluations in (3000, 10_000, "null"):
        assert not (tmp_path / "run" / "proof.json").exists()
        assert isoplane("search", "resume=run", f"stop.evaluations={evaluations}").code == 0
    assert (tmp_path / "run" / "proof.json").read_bytes() == (tmp_path / "uninterrupted" / "proof.json").read_bytes()
    assert outcome(tmp_path / "run") == outcome(tmp_path / "uninterrupted")


def test_an_interrupted_run_resumes(isoplane, start_isoplane, tmp_path, no_drawing):
    assert isoplane("search", *SHORT, NO_TIME_LIMIT, "hydra.run.dir=uninterrupted").code == 0
    words = (NO_TIME_LIMIT, "stop.evaluations=200000000", "hydra.run.dir=run")
    process, out, err = start_isoplane("search", *SHORT, *words)
    wait_for(tmp_path / "run" / "summary.json")
    os.kill(process.pid, signal.SIGINT)
    process.join(HANG_S)
    assert (process.exitcode, "Traceback" in err.read_text()) == (130, False)
    assert summary_of(tmp_path / "run")["best"] in out.read_text()
    assert (tmp_path / "run" / "checkpoint" / "anneal.json").is_file()
    before = files(tmp_path / "run")
    done = summary_of(tmp_path / "run")["evaluations"]
    if done < 2_000_001:
        assert isoplane("search", "resume=run", "stop.evaluations=2000001").code == 0
        assert outcome(tmp_path / "run") == outcome(tmp_path / "uninterrupted")
    assert set(before) <= {*files(tmp_path / "run")} | {name for name in before if name.startswith("records/")}


@for_each(
    ("words", "overrides"),
    [
        (("stop.evaluations=100000",), ("stop.evaluations=5000",)),
        (("stop.target=2.2",), ()),
        (("stop.stalled=300000",), ()),
        (("strategy=exact", "network.n=4"), ()),
        (("stop.seconds=0.1",), ()),
    ],
)
def test_a_run_with_nothing_left_to_do_says_so_and_stays_as_it_is(isoplane, tmp_path, no_drawing, words, overrides):
    run = tmp_path / words[0]
    folder = f"hydra.run.dir='{run}'"
    result = isoplane("search", "network.n=6", "strategy=anneal", "objective=aspl", *words, folder)
    before = {name: (run / name).read_bytes() for name in files(run) if (run / name).is_file()}
    resumed = isoplane("search", f"resume='{run}'", *overrides)
    missed = [line for line in messages(result.err) if "was not reached" in line]
    assert (resumed.code, messages(resumed.err)) == (result.code, missed)
    assert resumed.out.startswith(f"nothing to do: {run} has ")
    assert {name: (run / name).read_bytes() for name in files(run) if (run / name).is_file()} == before


def test_a_run_resumes_from_its_saved_warm_start(isoplane, tmp_path, no_drawing, record):
    words = ("network.n=3", "strategy=anneal", "objective=delay", "seed=3")
    isoplane("search", *words, "stop.evaluations=1000", f"warm_start={record}", "hydra.run.dir=uninterrupted")
    isoplane("search", *words, "stop.evaluations=10", f"warm_start={record}", "hydra.run.dir=run")
    record.unlink()
    assert isoplane("search", "resume=run", "stop.evaluations=1000").code == 0
    assert outcome(tmp_path / "run") == outcome(tmp_path / "uninterrupted")


@for_each(
    ("words", "message"),
    [
        ("resume=run stop.evaluations=20", "resume=run: in use by another program; expected a run that has ended"),
        ("resume=run seed=2", "resume=run, seed=2: fixed by the run; expected stop.*, workers, fleet"),
        ("resume=run objective=aspl", "objective=aspl: fixed by the run; expected"),
        ("resume=run hydra.run.dir=other", "hydra.run.dir=other: fixed by the run; expected"),
        ("resume=missing", "resume=missing: no run in it; expected the folder of a search"),
        ("resume=run stop.evaluations=-1", "stop.evaluations=-1"),
    ],
)
def test_an_invalid_resume_is_rejected_in_one_line(refuse, ended_search, tmp_path, words, message):
    ended_search("network.n=3", "stop.evaluations=10")
    before = files(tmp_path)
    with locked(tmp_path / "run", "test") if "in use" in message else nullcontext():
        result = refuse("search", *words.split())
    assert (result.out, result.err.count("\n")) == ("", 1)
    assert message in result.err
    assert files(tmp_path) == before


def test_a_damaged_or_altered_checkpoint_is_named_and_the_search_repeated_without_it(
    isoplane, ended_search, tmp_path, no_drawing
):
    ended_search(*ANNEAL)
    checkpoint = tmp_path / "run" / "checkpoint" / "anneal.json"
    altered = checkpoint.read_bytes().replace(b'"rounds":', b'"rounds":1')
    for damage in (b"{", b"\xff", b"[]", b'{"checkpoint": 9, "sha256": "", "data": 1}', altered):
        checkpoint.write_bytes(damage)
        result = isoplane("search", "resume=run", "stop.evaluations=1000000")
        assert result.code == 2
        assert "checkpoint=run/checkpoint/anneal.json: " in result.err
    assert "altered: the hash of its content differs" in result.err
    checkpoint.unlink()
    assert isoplane("search", "resume=run", "stop.evaluations=1000000").code == 0


def test_a_checkpoint_is_due_as_soon_as_there_is_a_state_and_then_while_saving_takes_5_percent_of_the_time(
    tmp_path, monkeypatch
):
    now = [100.0]

    def write_slowly(path, text):
        now[0] += 2.0

    monkeypatch.setattr(checkpoint.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(checkpoint, "write_atomically", write_slowly)
    saved = checkpoint.FolderCheckpoint(tmp_path / "checkpoint")
    assert saved.due()
    saved.save("anneal", {})
    for seconds_ago, due in ((2, False), (39, False), (40, True)):  # of which 2 s for saving
        now[0] = 100.0 + seconds_ago
        assert saved.due() is due
    saved.save("anneal", {})
    now[0] = 100.0 + 79
    assert not saved.due()
    now[0] = 100.0 + 80
    assert saved.due()


@for_each(
    ("words", "name"),
    [
        (("strategy=portfolio",), "portfolio"),
        (("strategy=pareto", "objective=front"), "pareto"),
    ],
)
def test_the_first_round_is_already_saved(isoplane, no_drawing, monkeypatch, words, name):
    rounds, save = [], checkpoint.FolderCheckpoint.save

    def save_and_note(self, page, data):
        save(self, page, data)
        rounds.extend([data["rounds"]] if page == name else [])

    monkeypatch.setattr(checkpoint.FolderCheckpoint, "save", save_and_note)
    assert isoplane("search", "network.n=9", *words, "stop.evaluations=600000").code == 0
    assert rounds[0] == 1
    assert rounds == sorted(set(rounds))


def bytes_of(run):
    """Records and history of a run, without the column of seconds."""
    records = {path.name: path.read_bytes() for path in (run / "records").iterdir()}
    history = [line.partition(b",")[2] for line in (run / "history.csv").read_bytes().splitlines(keepends=True)]
    return records, history


@for_each(
    "words",
    [
        ("network.n=8", "strategy=anneal", "stop.evaluations=1300001"),  # two rounds and part of a third
        ("network.n=9", "strategy=portfolio", "stop.evaluations=600001"),
        ("network.n=5", "network=folded_hypercube", "objective=front", "strategy=exact"),
    ],
)
def test_a_seed_gives_the_same_bytes_whatever_the_number_of_workers(search_once, words):
    runs = [search_once(*words, "seed=3", f"workers={workers}")[1] for workers in (1, 2)]
    records, history = bytes_of(runs[0])
    assert records
    assert history[0] == b"evaluations,score,bound\n"
    assert len(history) > 1
    assert (records, history) == bytes_of(runs[1])
