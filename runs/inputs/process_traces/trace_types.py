"""Data types of time-independent traces."""

from isoplane.models.workloads.message_list import MAX_BYTES

from .places import Place

DOUBLE = "0"  # the type of what has none, in traces whose init has an argument

# Bytes of an element by number of the type, as SMPI decodes it; without a number, one.
TYPE_BYTES = {0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1, 7: 8, 8: 1, 9: 1, 10: 2}


def bytes_of(place: Place, count: str, datatype: str | None, *, any_size: bool = False) -> int:
    """Return the length of some elements of a type; -1 for receives of any size."""
    number = place.integer(count, "count", -1 if any_size else 0)
    if number < 0:
        return -1
    known = {str(one): length for one, length in TYPE_BYTES.items()}
    if datatype is not None and datatype not in known:
        raise place.error(f"data type {datatype}", f"a number from 0 to {max(TYPE_BYTES)}")
    size_bytes = number if datatype is None else number * known[datatype]
    if size_bytes > MAX_BYTES:
        raise place.error(f"{size_bytes} bytes", f"at most {MAX_BYTES}")
    return size_bytes
