"""Sums of distances that a complete exact search has proven to be the least."""

import json

from .certificates import certificate_path


def enumerated_sum(n: int, folded: bool) -> int | None:
    """Return the least sum of distances as the kept proof of an exact search says, None where none is kept.

    The proof is the `proof.json` of a complete `isoplane search objective=aspl layout=none strategy=exact`: no set of
    generators has a sum of at most its `largest_sum_of_interest`, for no set of that interest was left at the last
    level. Unlike a certificate it is not checked when it is read: to check it is to search again.

    Raises
    ------
    ValueError
        If the file is the proof of something else.

    Examples
    --------
    >>> enumerated_sum(9, folded=False)
    1828
    """
    path = certificate_path("enumeration", n, folded)
    if not path.exists():
        return None
    proof = json.loads(path.read_text(encoding="utf-8"))
    about = (proof["n"], proof["folded"], proof["objective"], proof["sets"][-1])
    if about != (n, folded, [["sum_of_distances"]], 0):
        raise ValueError(f"{path.name}: not the proof that no sum of distances is smaller")
    return int(proof["largest_sum_of_interest"]) + 1
