"""Words that were probably meant."""

import re
from collections.abc import Collection

# An error that names a key, perhaps its value, and the words that are allowed instead.
ONE_OF = re.compile(
    r"(?P<key>[\w.@/+-]+)(?:=(?P<value>\[[^]]*\]|\S+))?: (?:(?P<unknown>unknown)|[^;]+)?(?:; )?expected (?P<allowed>.+)"
)
OTHER_START = 0.75  # least similarity of words with another first letter; of others 0.6
OF_OTHERS = "; known to "  # before the verbs that have a key: another key is not meant
WORD = re.compile(r"[A-Za-z_][\w./-]*")


def did_you_mean(word: str, allowed: Collection[str]) -> str:
    """Return the end of a message that names the allowed word nearest to a wrong one; nothing if none is near.

    Of words with another first letter more has to agree.

    Examples
    --------
    >>> did_you_mean("serach", ["search", "evaluate"]), did_you_mean("find", ["search", "evaluate"])
    ('; did you mean search?', '')
    >>> did_you_mean("seconds", ["record"]), did_you_mean("xecord", ["record"])
    ('', '; did you mean record?')
    """
    from difflib import get_close_matches  # loaded only for errors

    alike = [each for each in allowed if each[:1] == word[:1]]
    nearest = get_close_matches(word, alike, 1) or get_close_matches(word, allowed, 1, OTHER_START)
    return f"; did you mean {nearest[0]}?" if nearest and nearest[0] != word else ""


def with_nearest(message: str) -> str:
    """Return an error that lists words that are allowed, with the one that was probably meant.

    Examples
    --------
    >>> with_nearest("stop.gab: unknown; expected evaluations, gap, seconds")
    'stop.gab: unknown; expected evaluations, gap, seconds; did you mean gap?'
    >>> with_nearest("network.routing='up_dwon': expected dimension_order, up_down")
    "network.routing='up_dwon': expected dimension_order, up_down; did you mean up_down?"
    >>> with_nearest("network.n=99: expected an integer from 2 to 16")
    'network.n=99: expected an integer from 2 to 16'
    >>> with_nearest("families=['tourus']: no family 'tourus' that can be sized; expected mesh, torus").split("; ")[2]
    'did you mean torus?'
    >>> with_nearest("families=['mesh', 'tourus']: no family 'tourus'; expected mesh, torus").split("; ")[2]
    'did you mean torus?'
    >>> with_nearest("network.n: unknown; expected family, n").split("; ")[2]
    'did you mean n?'
    """
    match = None if OF_OTHERS in message else ONE_OF.fullmatch(message)
    if match is None or (match["value"] is None) != (match["unknown"] is not None):
        return message
    allowed = [part for part in re.split(r", | or |; ", match["allowed"]) if WORD.fullmatch(part)]
    if match["value"]:
        wrong = (word for word in re.findall(r"[^\s,'\"\[\]]+", match["value"]) if word not in allowed)
        return message + next(filter(None, (did_you_mean(word, allowed) for word in wrong)), "")
    parts = match["key"].split(".")
    if len(parts) > 1 and parts[-1] in allowed:  # below a group in which it is not
        return f"{message}; did you mean {parts[-1]}?"
    return message + next(filter(None, (did_you_mean(part, allowed) for part in parts)), "")
