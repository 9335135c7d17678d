"""Sums of distances that a complete exact search has proven to be the least."""

import json

from .certificates import certificate_path


def enumerated_sum(n: int, folded: bool) -> int | None:
    """Return the least sum of distances as the kept proof of an exact search says, None where none is kept.

    The proof is the `proof.json` of a complete `isoplane search objective=aspl layout=none strategy=exact`: no set of
    generators has a sum of at most its `largest_sum_of_interest`, for no set of that interest was left at the last
    level. With `strategy.everything=true` it is the smallest sum of the histogram. Unlike a certificate it is not
    checked when it is read: to check it is to search again.

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
    about_sums = proof["everything"] or (proof["objective"] == [["sum_of_distances"]] and proof["sets"][-1] == 0)
    if (proof["n"], proof["folded"]) != (n, folded) or not about_sums:
        raise ValueError(f"{path.name}: not the proof that no sum of distances is smaller")
    return min(map(int, proof["histogram"])) if proof["everything"] else int(proof["largest_sum_of_interest"]) + 1
