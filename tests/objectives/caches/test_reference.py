"""The native caches against the reference, look-up by look-up, and both against published checksums."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Crc, RoutingCache, _native
from isoplane.models.site.routing_cache import MAX_ID, MAX_WIDTH
from isoplane.objectives.reference import routing_cache as reference
from tests.cases import for_each

REPLACEMENTS = ("lru", "fifo", "random")
ONES = (1 << 64) - 1
# Width, polynomial, initial value, final XOR, reflection, and the checksum of the digits 1 to 9: the catalogue of
# parametrised CRC algorithms (Cook, https://reveng.sourceforge.io/crc-catalogue).
PUBLISHED = {
    "CRC-3/GSM": (3, 0x3, 0, 0x7, False, 0x4),
    "CRC-5/USB": (5, 0x05, 0x1F, 0x1F, True, 0x19),
    "CRC-8/SMBUS": (8, 0x07, 0, 0, False, 0xF4),
    "CRC-16/ARC": (16, 0x8005, 0, 0, True, 0xBB3D),
    "CRC-16/IBM-3740": (16, 0x1021, 0xFFFF, 0, False, 0x29B1),
    "CRC-32/ISO-HDLC": (32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF, True, 0xCBF43926),
    "CRC-32/ISCSI": (32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, True, 0xE3069283),
    "CRC-32/BZIP2": (32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF, False, 0xFC891918),
    "CRC-64/XZ": (64, 0x42F0E1EBA9EA3693, ONES, ONES, True, 0x995DC9BBDF1939FA),
    "CRC-64/ECMA-182": (64, 0x42F0E1EBA9EA3693, 0, 0, False, 0x6C40DF5F0B497347),
}


@st.composite
def crcs(draw):
    width = draw(st.integers(3, MAX_WIDTH))
    word = st.integers(0, (1 << width) - 1)
    order = draw(st.sampled_from(("little", "big")))
    return Crc(width, draw(word), draw(word), draw(word), draw(st.booleans()), order, draw(st.integers(1, 8)))


@st.composite
def caches(draw):
    ways = draw(st.sampled_from((1, 2, 3, 4, 7, 16, 32, 33, 50)))  # those of more than 32 ways are not scanned
    sets = draw(st.integers(1, 12))
    replacement, seed = draw(st.sampled_from(REPLACEMENTS)), draw(st.integers(0, ONES))
    return RoutingCache(sets * ways, ways, hash=draw(st.none() | crcs()), replacement=replacement, seed=seed)


@st.composite
def streams(draw, ids):
    """Draw a stream: its length and its distribution, from one in which few ids return soon to a uniform one."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    length, skew = draw(st.integers(0, 400)), draw(st.sampled_from((0.3, 1, 3)))
    return (ids * random.random(length) ** (1 / skew)).astype(np.uint32)


def native_look_ups(cache, ids, before, streams, first_port=0, kinds=5):
    """Return the counts of all streams by kind, or only their hits, and whether each look-up hits."""

    def joined(parts):
        return np.cumsum([0, *map(len, parts)]), np.concatenate([np.zeros(0, np.uint32), *parts])

    counts = np.full((len(streams), kinds), -1, dtype=np.int64)
    hit = np.zeros(sum(map(len, streams)), dtype=np.bool_)
    shape, replacement = (cache.sets, cache.ways), REPLACEMENTS.index(cache.replacement)
    set_of = cache.sets_of(np.arange(ids))
    _native.count_look_ups(
        shape, replacement, cache.seed, set_of, first_port, joined(before), joined(streams), counts, hit
    )
    return counts.tolist(), hit.tolist()


@for_each("name", PUBLISHED)
def test_checksums_are_the_published_ones(name):
    *parameters, check = PUBLISHED[name]
    assert reference.checksum(Crc(*parameters), b"123456789") == check


@given(crcs(), st.lists(st.integers(0, MAX_ID), max_size=20))
def test_native_checksums_of_ids_equal_the_division_bit_by_bit(crc, ids):
    expected = [
        reference.checksum(crc, (number % (1 << 8 * crc.id_bytes)).to_bytes(crc.id_bytes, crc.byte_order))
        for number in ids
    ]
    assert crc.checksums(ids).tolist() == expected


@given(caches(), st.lists(st.integers(0, MAX_ID), max_size=20))
def test_native_sets_of_ids_equal_those_of_the_reference(cache, ids):
    assert cache.sets_of(ids).tolist() == [reference.set_of(cache, number) for number in ids]


@given(st.data(), caches(), st.integers(1, 300), st.integers(0, 5))
def test_native_look_ups_equal_those_of_the_reference(data, cache, ids, first_port):
    before, stream = ([data.draw(streams(ids)) for _ in range(2)] for _ in range(2))
    kinds = [
        list(reference.look_ups(cache, counted.tolist(), earlier.tolist(), first_port + number))
        for number, (counted, earlier) in enumerate(zip(stream, before, strict=True))
    ]
    expected = [[port.count(kind) for kind in reference.KINDS] for port in kinds]
    hits = [kind.endswith("hit") for port in kinds for kind in port]
    assert native_look_ups(cache, ids, before, stream, first_port) == (expected, hits)
    only_hits = [[hit + extra] for hit, extra, *_ in expected]
    assert native_look_ups(cache, ids, before, stream, first_port, kinds=1) == (only_hits, hits)


def test_random_ways_depend_on_the_seed_and_the_port_and_not_on_the_ports_beside_it():
    stream = np.random.default_rng(1).integers(0, 64, 2000).astype(np.uint32)

    def hits(seed, first_port, ports):
        cache = RoutingCache(16, 4, replacement="random", seed=seed)
        return native_look_ups(cache, 64, [stream[:0]] * ports, [stream] * ports, first_port)[0]

    together = hits(1, 0, 3)
    assert together == [hits(1, port, 1)[0] for port in range(3)]
    assert len({tuple(counts) for counts in [*together, *hits(2, 0, 3)]}) == 6


@for_each("stream", [np.array([0, 3], np.uint32), np.array([4], np.uint32)])
def test_ids_without_a_set_are_refused(stream):
    with np.testing.assert_raises_regex(ValueError, "an id has no set"):
        native_look_ups(RoutingCache(), 3, [stream[:0]], [stream])
