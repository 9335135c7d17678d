"""No file breaks a reader; `benchmarks/fuzz.py --files 20000` tries many more."""

from tests.cases import for_each

from .fuzz import READERS, fuzzed, is_read


@for_each("name", READERS)
def test_every_fuzzed_file_is_read_or_refused_in_one_line(name, tmp_path):
    read, path = 0, tmp_path / f"fuzzed{READERS[name].suffix}"
    for number, content in enumerate(fuzzed(name, 1, 120)):
        path.write_bytes(content)
        is_valid = is_read(name, path)
        assert is_valid or number >= len(READERS[name].samples)
        read += is_valid
    assert 0 < read < 120
