"""The exception for invalid user input, and texts of its messages."""

from collections.abc import Sequence

SHOWN_NAMES = 3


class InputError(ValueError):
    """Invalid input; the message is one line that names the value and the allowed values.

    The command line prints the message and exits with code 2.

    Attributes
    ----------
    is_of_function
        Whether a user's function of metrics is not here, cannot be imported, or fails, so that its values are unknown.
    options
        Options with which the same command works, if they are known.
    """

    is_of_function = False
    options: Sequence[str] = ()


def not_installed(package: str, extra: str) -> str:
    """Return that a package is missing, with the command that installs the extra that has it.

    Examples
    --------
    >>> not_installed("Ray", "ray")
    "Ray is not installed; available after pip install 'isoplane[ray]'"
    """
    return f"{package} is not installed; available after pip install 'isoplane[{extra}]'"


def first_of(names: Sequence[object], noun: str) -> str:
    """Return the first of some names with a noun, and how many more there are.

    Examples
    --------
    >>> first_of([7], "switch"), first_of([4, 5, 8, 9], "switch")
    ('switch 7', 'switches 4, 5, 8 and 1 more')
    """
    plural = "" if len(names) == 1 else "es" if noun.endswith("ch") else "s"
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return f"{noun}{plural} {', '.join(map(str, names[:SHOWN_NAMES]))}{more}"
