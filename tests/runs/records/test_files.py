import copy
import json
import os
import re
from pathlib import Path

import pytest

from isoplane.models import InputError, dual_cube
from isoplane.models.files.output_file import write_atomically
from isoplane.runs.records import file_name, read_record, text_of, write_record
from tests.cases import for_each

from .samples import OBJECTIVE, SOURCE, network_of_dimension_5, sample


@pytest.fixture
def record_file(tmp_path):
    return write_record(tmp_path, sample())


def test_a_record_is_read_back_as_it_was_written(record_file):
    assert record_file.name == f"hypercube-n5-everything-{sample()['id'][:12]}.json"
    assert read_record(record_file) == sample()
    assert json.loads(record_file.read_text()) == sample()


def test_a_file_name_has_only_plain_characters():
    record = sample(network_of_dimension_5(folded=True)) | {"objective": "my best/§1 " + "x" * 300}
    assert re.fullmatch(r"folded_hypercube-n5-my_best__1_x{50,}-[0-9a-f]{12}\.json", file_name(record))
    assert len(file_name(record)) < 120


def test_short_lists_are_on_one_line_and_everything_else_is_on_its_own():
    text = text_of(sample())
    assert '        "generators": [7, 11, 19, 29, 30]\n' in text
    assert '\n  "bound": [null, null, null],\n' in text
    assert '\n    "max_load": ' in text
    assert text.endswith("}\n")


@for_each("value", [["a[", "]b"], ["a", "\n  ]"], [["x"], [1, []]], {"[": ["\\n", '"\n ']}, [[], {}]])
def test_formatting_the_text_does_not_change_its_content(value):
    assert json.loads(text_of({"value": value})) == {"value": value}


def later(solver=None, **changes):
    """The sample with other fields, found by a search with another seed."""
    provenance = sample()["provenance"] | {"seed": 99} | ({"solver": solver} if solver else {})
    return sample() | changes | {"provenance": provenance}


PROVEN = later(status="optimal", bound=sample()["score"])


@for_each(
    ("written", "kept"),
    [
        ([sample(), later()], sample()),  # whatever its provenance
        ([sample(), PROVEN, later()], PROVEN),  # a proof replaces, and is not replaced
        ([PROVEN, later("highs")], PROVEN),
        ([sample(), later("gurobi"), later("gurobi+cp_sat"), later()], later("gurobi+cp_sat")),
        ([sample(), later(bound_source=SOURCE), later()], later(bound_source=SOURCE)),
        ([sample(), later(front="complete"), later()], later(front="complete")),
    ],
)
def test_a_record_of_the_same_design_is_rewritten_only_with_more_proof_or_another_solver(tmp_path, written, kept):
    times = []
    for record in written:
        file = write_record(tmp_path, record)
        times.append(file.stat().st_mtime_ns)
    assert read_record(file) == kept
    assert times[-1] == times[written.index(kept)]
    file.unlink()


def test_a_damaged_file_is_rewritten(record_file):
    content = record_file.read_bytes()
    record_file.write_bytes(content[:100])
    write_record(record_file.parent, sample())
    assert record_file.read_bytes() == content


@for_each("write", [lambda folder: write_record(folder, sample()), lambda folder: write_atomically(folder / "a", "")])
def test_a_file_in_place_of_the_folder_is_bad_input(tmp_path, write):
    occupied = tmp_path / "occupied"
    occupied.write_text("")
    with pytest.raises(
        InputError, match=r"occupied.*cannot be written \(.*\); expected a place where files can be created"
    ):
        write(occupied)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_bad_input(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        write_record(tmp_path, sample())


def damaged(change):
    """The bytes of the sample record after a change."""
    record = copy.deepcopy(sample())
    change(record)
    return json.dumps(record).encode()


WHOLE = text_of(sample()).encode()


@for_each(
    ("content", "message"),
    [
        (b"", "damaged JSON (Expecting value: line 1 column 1 (char 0))"),
        (b"hello", "not JSON; expected a record as isoplane wrote it; isoplane import FILE reads listings of fabrics"),
        (WHOLE + WHOLE, "damaged JSON (Extra data"),
        (b"\xff" + WHOLE, "byte 0 is not UTF-8 text"),
        (b"[" * 100_000, "damaged JSON ("),
        (b'{"schema": 1, "schema": 1}', "damaged JSON (a key of ['schema'] occurs twice)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": NaN'), "damaged JSON (NaN is not a finite number)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": 1e999'), "damaged JSON (1e999 is not a finite number)"),
        (WHOLE.replace(b'"slack_m": 2', b'"slack_m": ' + b"9" * 5000), "damaged JSON (Exceeds the limit"),
        (b'{"planes": []}', "a fabric, not a record; expected isoplane evaluate network=fabric network.file="),
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
    assert "a fabric" not in str(caught.value) or f"network.file={path}, whose save=RECORD" in str(caught.value)
    str(caught.value).encode()


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


def test_an_altered_record_can_be_read_without_checking_its_id(tmp_path):
    path = tmp_path / "altered.json"
    path.write_bytes(damaged(lambda r: r.update(nodes_per_switch=5)))
    assert read_record(path, check_id=False)["nodes_per_switch"] == 5


def test_records_of_different_designs_and_objectives_share_a_folder(tmp_path):
    records = [sample(), sample(dual_cube(5, (1, 2, 4, 8, 16))), sample() | {"objective": "other"}]
    assert len({write_record(str(tmp_path), record) for record in records}) == 3
    without_layout = sample(network_of_dimension_5(layout=None), OBJECTIVE.without_layout())
    assert read_record(write_record(tmp_path, without_layout))["layout"] is None
    assert len(list(Path(tmp_path).iterdir())) == 4
