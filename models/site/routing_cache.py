"""Routing-table caches: what each input port of a switch remembers of the routing table."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..checks import check_bool, check_int, exact_number
from ..errors import InputError
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..search_variables import Variable

Replacement = Literal["lru", "fifo", "random"]
CacheStart = Literal["warm", "cold", "exchange"]
ByteOrder = Literal["little", "big"]

MAX_ENTRIES = 1 << 24
MAX_WIDTH = 64
MAX_ID = (1 << 32) - 1


@dataclass(frozen=True)
class Crc:
    """A cyclic redundancy check of the id of a node, in the parameters of the Rocksoft model.

    Parameters
    ----------
    width
        Bits of the checksum, 3 to 64.
    polynomial
        Its coefficients below x^width, the highest one first.
    initial, final_xor
        The register at the start, and what is added to it at the end.
    reflected
        Whether the bits of each byte and of the checksum are taken in reverse order.
    byte_order, id_bytes
        The bytes of the id that are checked, in this order.

    References
    ----------
    Williams 1993, "A painless guide to CRC error detection algorithms". The default is CRC-32 of IEEE 802.3.

    Examples
    --------
    >>> Crc(width=8, polynomial=0x107)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: switch.cache.hash.polynomial=263: expected an integer from 0 to 255
    """

    width: int = 32
    polynomial: int = 0x04C11DB7
    initial: int = 0xFFFFFFFF
    final_xor: int = 0xFFFFFFFF
    reflected: bool = True
    byte_order: ByteOrder = "little"
    id_bytes: int = 4

    def __post_init__(self) -> None:
        check_int("switch.cache.hash.width", self.width, 3, MAX_WIDTH)
        for name in ("polynomial", "initial", "final_xor"):
            check_int(f"switch.cache.hash.{name}", getattr(self, name), 0, (1 << self.width) - 1)
        check_bool("switch.cache.hash.reflected", self.reflected)
        _check_choice("hash.byte_order", self.byte_order, get_args(ByteOrder))
        check_int("switch.cache.hash.id_bytes", self.id_bytes, 1, 8)

    def checksums(self, ids: ArrayLike) -> NDArray[np.uint64]:
        """Return the checksum of each id: uint64[ids].

        Parameters
        ----------
        ids : uint32[ids]
            The ids of nodes.

        Examples
        --------
        >>> [hex(checksum) for checksum in Crc().checksums([0, 1]).tolist()]
        ['0x2144df1c', '0x99f8b879']
        """
        checked = _ids(ids)
        sums = np.empty(len(checked), dtype=np.uint64)
        _native.checksums(checked, self._parameters, sums)
        return sums

    @property
    def _parameters(self) -> tuple[int, int, int, int, bool, bool, int]:
        """The parameters in the order of the native code."""
        is_big = self.byte_order == "big"
        return self.width, self.polynomial, self.initial, self.final_xor, self.reflected, is_big, self.id_bytes


@dataclass(frozen=True)
class RoutingCache:
    """A set-associative cache of the routing table, one for each input port of a switch.

    A packet looks up its destination in the set ``hash(destination) mod sets``, where sets = entries / ways. A hit
    takes `hit_ns` and spares the look-up in the table; a miss takes both, and replaces an entry of the set.

    Parameters
    ----------
    entries, ways
        Destinations that the cache holds, and those of a set; one set makes it fully associative.
    hit_ns
        Time of the hash and of the look-up, in ns.
    tag_bytes, port_bytes, reserved_bytes
        Bytes of an entry: the destination, the output port, and what is reserved.
    hash
        The checksum of the destination that selects the set; None for the destination itself.
    replacement, seed
        The entry that a miss replaces: the one used least recently (``lru``), the oldest (``fifo``), or one drawn at
        ``random`` by the seed.
    start
        ``warm``: all destinations that can pass the port passed it before, in ascending order; ``cold``: empty;
        ``exchange``: as an all-to-all of one byte, whose time is printed, leaves it.
    lookup_nj, static_mw
        Energy of a look-up in nJ, and static power of the cache in mW; None if unknown.
    area_mm2
        Area of the cache on the chip, in mm²; None if unknown.
    interval_ns
        Least time between two look-ups in the cache, for the throughput of look-ups; None if unknown.

    References
    ----------
    Hirasawa et al. 2020, sections 3 and 4.1.

    Examples
    --------
    >>> cache = RoutingCache()
    >>> cache.sets, cache.size_bytes / 1024
    (512, 24.0)
    """

    entries: int = 2048
    ways: int = 4
    hit_ns: float | Fraction = 2
    tag_bytes: int = 8
    port_bytes: int = 2
    reserved_bytes: int = 2
    hash: Crc | None = field(default_factory=Crc)
    replacement: Replacement = "lru"
    seed: int = field(default=0, metadata=ABSENT_IN_OLD_RECORDS)
    start: CacheStart = "warm"
    lookup_nj: float | Fraction | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    static_mw: float | Fraction | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    area_mm2: float | Fraction | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)
    interval_ns: float | Fraction | None = field(default=None, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        check_int("switch.cache.entries", self.entries, 1, MAX_ENTRIES)
        check_int("switch.cache.ways", self.ways, 1, self.entries)
        if self.entries % self.ways:
            raise InputError(
                f"switch.cache.ways={self.ways}: expected a divisor of switch.cache.entries={self.entries}"
            )
        exact_number("switch.cache.hit_ns", self.hit_ns)
        for name in ("tag_bytes", "port_bytes", "reserved_bytes"):
            check_int(f"switch.cache.{name}", getattr(self, name), 0, 64)
        check_int("switch.cache.seed", self.seed, 0, (1 << 64) - 1)
        _check_choice("replacement", self.replacement, get_args(Replacement))
        _check_choice("start", self.start, get_args(CacheStart))
        for name in ("lookup_nj", "static_mw", "area_mm2", "interval_ns"):
            if getattr(self, name) is not None:
                exact_number(f"switch.cache.{name}", getattr(self, name))

    @property
    def sets(self) -> int:
        """Number of sets."""
        return self.entries // self.ways

    @property
    def size_bytes(self) -> int:
        """Bytes of all entries."""
        return self.entries * (self.tag_bytes + self.port_bytes + self.reserved_bytes)

    def sets_of(self, ids: ArrayLike) -> NDArray[np.uint32]:
        """Return the set in which each destination is looked up: uint32[ids].

        Parameters
        ----------
        ids : uint32[ids]
            The ids of the destinations.

        Examples
        --------
        >>> RoutingCache(hash=None).sets_of([5, 512, 1025]).tolist()
        [5, 0, 1]
        """
        looked_up = _ids(ids)
        set_of = np.empty(len(looked_up), dtype=np.uint32)
        _native.cache_sets(looked_up, self.sets, None if self.hash is None else self.hash._parameters, set_of)
        return set_of


@dataclass(frozen=True)
class CacheVariable(Variable):
    """The routing-table cache of all switches, which a site declares if its switches have one.

    Parameters
    ----------
    caches
        The caches to choose from, different ones.

    Examples
    --------
    >>> small, large = RoutingCache(entries=512), RoutingCache(entries=2048)
    >>> CacheVariable((small,)).within("switch.cache", (small, large)).scope
    'the 2 given caches'
    """

    caches: tuple[RoutingCache, ...]

    @property
    def scope(self) -> str:
        """The caches."""
        return "the given cache" if len(self.caches) == 1 else f"the {len(self.caches)} given caches"

    def within(self, key: str, given: Any) -> Self:
        """Return the variable with other caches to choose from; null keeps them.

        Raises
        ------
        InputError
            If there are none, or one occurs twice.
        """
        if given is None:
            return self
        if not given or len(set(given)) < len(given):
            raise InputError(
                f"{key}: {len(given)} caches, {len(set(given))} of them different; expected different ones"
            )
        return replace(self, caches=tuple(given))


def _ids(ids: ArrayLike) -> NDArray[np.uint32]:
    numbers = np.asarray(ids, dtype=np.int64)
    wrong = np.flatnonzero((numbers < 0) | (numbers > MAX_ID))
    if numbers.ndim != 1 or len(wrong):
        shown = f"an array of shape {numbers.shape}" if numbers.ndim != 1 else str(numbers[wrong[0]])
        raise InputError(f"ids={shown}: expected integers from 0 to {MAX_ID} in a one-dimensional array")
    return numbers.astype(np.uint32)


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"switch.cache.{name}={value}: expected {', '.join(choices)}")
