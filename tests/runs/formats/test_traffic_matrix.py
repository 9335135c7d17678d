"""Traffic matrices from files: what is wrong in one is said in words of the file."""

import zipfile

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.runs.inputs.traffic_matrix import read_matrix
from tests.cases import for_each, require_refusal


def message(path):
    with pytest.raises(InputError) as raised:
        read_matrix(path)
    text = str(raised.value)
    assert "\n" not in text
    assert text.startswith(f"workload.file={path}: ")
    assert text.endswith("; expected a matrix of numbers")
    return text.removeprefix(f"workload.file={path}: ").removesuffix("; expected a matrix of numbers")


@for_each(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"1,2\n# a comment\n3,4,5\n", "line 3 has 3 values, line 1 has 2"),
        (b"1,2\n3, x  # not y\n", "'x' in line 2 is not a number"),
        (b"1,\n", "'' in line 1 is not a number"),
        (b"1,2\n3,\xff\n", "byte 6 is not UTF-8 text"),
    ],
)
def test_damage_of_comma_separated_values_is_named_by_line_or_byte(tmp_path, content, problem):
    path = tmp_path / "traffic.csv"
    path.write_bytes(content)
    assert message(path) == problem


def test_no_message_of_a_damaged_archive_is_that_of_a_library(tmp_path):
    path, rng = tmp_path / "traffic.npz", np.random.default_rng(1)
    np.savez_compressed(path, rng.integers(0, 9, (8, 8)))
    whole, problems = path.read_bytes(), set()
    for _ in range(200):
        damaged = bytearray(whole[: rng.integers(0, len(whole) + 1)] if rng.random() < 0.3 else whole)
        for place in rng.integers(0, max(len(damaged), 1), 3):
            damaged[place : place + 1] = rng.bytes(1)
        path.write_bytes(damaged)
        try:
            read_matrix(path)
        except InputError:
            problems.add(message(path))
    np.savez(path, np.array([object()]))
    problems.add(message(path))
    assert "damaged, or not a NumPy archive of numbers" in problems
    assert problems <= {"damaged, or not a NumPy archive of numbers", "not an archive of arrays"} | {
        text for text in problems if text.endswith(f"bytes when unpacked, more than {1 << 28}")
    }


def test_what_is_well_formed_is_read(tmp_path):
    path = tmp_path / "traffic.csv"
    path.write_text("# rates\n0, 1.5\n+2e3,.5 # last\n\n", encoding="utf-8")
    assert read_matrix(path).tolist() == [[0, 1.5], [2000, 0.5]]


def test_an_encrypted_archive_is_damaged(tmp_path):
    np.savez(tmp_path / "traffic.npz", np.eye(3))
    content = bytearray((tmp_path / "traffic.npz").read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the flag of encryption in the central directory
    (tmp_path / "traffic.npz").write_bytes(content)
    assert message(tmp_path / "traffic.npz") == "damaged, or not a NumPy archive of numbers"


@for_each("suffix", ["csv", "npz"])
def test_an_endless_matrix_is_rejected(tmp_path, suffix):
    path = tmp_path / f"traffic.{suffix}"
    path.symlink_to("/dev/zero")
    says = f"workload.file={path}: not a regular file; expected a file with a matrix"
    require_refusal(lambda: read_matrix(path), says)


def test_a_small_archive_of_a_huge_matrix_is_rejected(tmp_path):
    path = tmp_path / "traffic.npz"
    array = {"descr": "<f8", "fortran_order": False, "shape": (1 << 13, 1 << 13)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("arr_0.npy", "w") as file:
        np.lib.format.write_array_header_1_0(file, array)
        for _ in range(257):
            file.write(bytes(1 << 20))
    assert path.stat().st_size < 1 << 20
    assert message(path).endswith("bytes when unpacked, more than 268435456")


def test_an_array_with_the_suffix_of_an_archive_is_rejected(tmp_path):
    with (tmp_path / "traffic.npz").open("wb") as file:
        np.save(file, np.eye(8))
    assert message(tmp_path / "traffic.npz") == "not an archive of arrays"
    says = "traffic.txt: expected files that end in .csv or .npz"
    require_refusal(lambda: read_matrix(tmp_path / "traffic.txt"), says)
