import copy
import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from isoplane.models import InputError, dual_cube
from isoplane.runs.records import file_name, read_record, text_of, write_atomically, write_record

from .samples import OBJECTIVE, SOURCE, network_of_five, sample


@pytest.fixture
def written(tmp_path):
    return write_record(tmp_path, sample())


def test_a_record_comes_back_as_it_was_written(written):
    assert read_record(written) == sample()
    assert json.loads(written.read_text()) == sample()


def test_the_file_is_named_after_family_size_objective_and_id(written):
    assert written.name == f"hypercube-n5-everything-{sample()['id'][:12]}.json"


def test_a_name_of_a_file_has_only_plain_characters():
    record = sample(network_of_five(folded=True)) | {"objective": "my best/§1 " + "x" * 300}
    assert re.fullmatch(r"folded_hypercube-n5-my_best__1_x{50,}-[0-9a-f]{12}\.json", file_name(record))
    assert len(file_name(record)) < 120


def test_short_lists_stand_on_one_line_and_all_else_on_its_own():
    text = text_of(sample())
    assert '        "generators": [7, 11, 19, 29, 30]\n' in text
    assert '\n  "bound": [null, null, null],\n' in text
    assert '\n    "max_load": ' in text
    assert text.endswith("}\n")


@pytest.mark.parametrize("value", [["a[", "]b"], ["a", "\n  ]"], [["x"], [1, []]], {"[": ["\\n", '"\n ']}, [[], {}]])
def test_the_layout_of_the_text_changes_nothing_in_it(value):
    assert json.loads(text_of({"value": value})) == {"value": value}


def test_a_record_is_written_once_whatever_its_provenance(written):
    before = written.read_bytes(), written.stat().st_mtime_ns
    later = sample()
    later["provenance"] = later["provenance"] | {"seed": 99}
    assert write_record(written.parent, later) == written
    assert (written.read_bytes(), written.stat().st_mtime_ns) == before


def test_a_proof_takes_the_place_of_the_mere_design_and_never_the_other_way_round(written):
    assert write_record(written.parent, sample(optimal=True)) == written
    assert read_record(written)["status"] == "optimal"
    write_record(written.parent, sample())
    assert read_record(written)["status"] == "optimal"


def test_a_record_is_rewritten_for_a_solver_but_not_without_one(written):
    def with_solver(name):
        record = copy.deepcopy(sample())
        record["provenance"]["solver"] = name
        return record

    for name in ("gurobi", "gurobi+cp_sat"):
        write_record(written.parent, with_solver(name))
        assert read_record(written)["provenance"]["solver"] == name
    write_record(written.parent, sample())
    assert read_record(written)["provenance"]["solver"] == "gurobi+cp_sat"


def test_another_solver_does_not_undo_a_proof(written):
    proven = sample() | {"status": "optimal", "bound": sample()["score"]}
    write_record(written.parent, proven)
    less = copy.deepcopy(sample())
    less["provenance"]["solver"] = "highs"
    write_record(written.parent, less)
    assert read_record(written) == proven


def test_a_damaged_file_is_written_again(written):
    whole = written.read_bytes()
    written.write_bytes(whole[:100])
    write_record(written.parent, sample())
    assert written.read_bytes() == whole


def test_the_folder_is_made_if_need_be(tmp_path):
    path = write_record(tmp_path / "run" / "records", sample())
    assert path.parent == tmp_path / "run" / "records"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "write", [lambda place: write_record(place, sample()), lambda p: write_atomically(p / "a", "")]
)
def test_a_folder_that_is_a_file_is_bad_input(tmp_path, write):
    place = tmp_path / "occupied"
    place.write_text("")
    with pytest.raises(
        InputError, match=r"occupied.*cannot be written \(.*\); expected a place where files can be created"
    ):
        write(place)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_bad_input(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        write_record(tmp_path, sample())


def damaged(change):
    """A file's bytes after a change of the record."""
    record = copy.deepcopy(sample())
    change(record)
    return json.dumps(record).encode()


WHOLE = text_of(sample()).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "damaged JSON (Expecting value: line 1 column 1 (char 0))"),
        (WHOLE[: len(WHOLE) // 2], "damaged JSON ("),
        (WHOLE + WHOLE, "damaged JSON (Extra data"),
        (b"\xff" + WHOLE, "byte 0 is not UTF-8 text"),
        (b"\xef\xbb\xbf" + WHOLE, "damaged JSON (Unexpected UTF-8 BOM"),
        (WHOLE.decode().encode("utf-16"), "byte 0 is not UTF-8 text"),
        (b"\x7fELF\x00\x01", "damaged JSON ("),
        (b"[" * 100_000, "damaged JSON ("),
        (b'{"schema": 1, "schema": 1}', "damaged JSON (a key of ['schema'] occurs twice)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": NaN'), "damaged JSON (NaN is not a finite number)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": -Infinity'), "damaged JSON (-Infinity is not a finite number)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": 1e999'), "damaged JSON (1e999 is not a finite number)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": ' + b"9" * 5000), "damaged JSON (Exceeds the limit"),
        (b'{"nodes": [], "links": []}', "not a record, because it has no field schema"),
        (b"[1, 2, 3]", "not a record"),
        (damaged(lambda r: r.update(schema=3)), "schema=3: expected 1, 2"),
        (damaged(lambda r: r.update(extra=2)), "Additional properties are not allowed ('extra' was unexpected)"),
        (damaged(lambda r: r.pop("score")), "'score' is a required property"),
        (damaged(lambda r: r["layout"].update(slack_m=3)), "the record was altered: id="),
        (damaged(lambda r: r["layout"].update(name="\ud800")), "expected text that UTF-8 can encode"),
        (damaged(lambda r: r.update(id="0" * 64)), f"id={'0' * 64}, but the hash of its content is {sample()['id']}"),
    ],
)
def test_damage_is_reported_in_one_line_that_names_the_file(tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_record(path)
    assert str(caught.value).startswith(f"record={path}: ")
    assert len(str(caught.value).splitlines()) == 1
    str(caught.value).encode()


@pytest.mark.parametrize("cut", range(0, len(WHOLE) - 1, 97))
def test_no_beginning_of_a_record_passes_for_one(tmp_path, cut):
    path = tmp_path / "cut.json"
    path.write_bytes(WHOLE[:cut])
    with pytest.raises(InputError, match="damaged JSON"):
        read_record(path)


def test_a_path_that_is_not_a_file_raises_input_error(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=re.escape(f"record={tmp_path}: a folder; expected the file of a record")):
        read_record(tmp_path)
    with pytest.raises(InputError, match=r"none.json: no such file; expected"):
        read_record(tmp_path / "none.json")
    with pytest.raises(InputError, match=r"pipe: not a regular file; expected"):
        read_record(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"cannot be read \(Not a directory\)"):
        read_record(tmp_path / "file" / "none.json")


def test_an_altered_record_can_be_read_on_purpose(tmp_path):
    path = tmp_path / "altered.json"
    path.write_bytes(damaged(lambda r: r.update(nodes_per_switch=5)))
    assert read_record(path, check_id=False)["nodes_per_switch"] == 5


def test_generators_out_of_order_are_refused_even_with_a_fitting_id(tmp_path):
    path = tmp_path / "order.json"
    path.write_bytes(damaged(lambda r: r["network"]["planes"][1]["generators"].reverse()))
    with pytest.raises(InputError, match="expected the ascending list"):
        read_record(path, check_id=False)


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call):
    path = tmp_path / "summary.json"
    write_atomically(path, "old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "summary.json"
    write_atomically(path, "old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]


def test_a_file_is_readable_for_whom_the_umask_allows_and_has_the_very_bytes(tmp_path):
    path = tmp_path / "summary.json"
    (tmp_path / "other").touch()
    write_atomically(path, "a\nü\n")
    assert path.read_bytes() == "a\nü\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path = tmp_path / "summary.json"
    endless = (
        "import itertools, sys\nfrom isoplane.runs.records import write_atomically\n"
        "for i in itertools.count():\n"
        "    write_atomically(sys.argv[1], str(i % 10) * 500_000)\n"
        "    if i == 20: print('going', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", endless, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    text = path.read_text()
    assert len(text) == 500_000
    assert len(set(text)) == 1
    left = [file.name for file in tmp_path.iterdir() if file != path]
    assert all(re.fullmatch(r"\.summary\.json\.[0-9a-f]{16}\.tmp", name) for name in left)


def test_records_of_different_designs_and_objectives_share_a_folder(tmp_path):
    records = [sample(), sample(dual_cube(5, (1, 2, 4, 8, 16))), sample() | {"objective": "other"}]
    assert len({write_record(str(tmp_path), record) for record in records}) == 3
    without = sample(network_of_five(layout=None), OBJECTIVE.without_layout())
    assert read_record(write_record(tmp_path, without))["layout"] is None
    assert len(list(Path(tmp_path).iterdir())) == 4


def test_where_a_bound_comes_from_is_added_to_a_record_that_did_not_tell_and_stays(written):
    sourced = copy.deepcopy(sample()) | {"bound_source": SOURCE}
    write_record(written.parent, sourced)
    assert read_record(written) == sourced
    write_record(written.parent, sample())
    assert read_record(written) == sourced


def test_that_a_front_is_complete_is_added_to_a_record_and_stays(written):
    complete = copy.deepcopy(sample()) | {"front": "complete"}
    write_record(written.parent, complete)
    assert read_record(written) == complete
    write_record(written.parent, sample())
    assert read_record(written) == complete
