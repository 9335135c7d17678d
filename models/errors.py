"""The exception for invalid user input, and the text for a package that is not installed."""


class InputError(ValueError):
    """Invalid input; the message is one line that names the value and the allowed values.

    The command line prints the message and exits with code 2.
    """


def not_installed(package: str, extra: str) -> str:
    """Return that a package is missing, with the command that installs the extra that has it.

    Examples
    --------
    >>> not_installed("Ray", "ray")
    "Ray is not installed; available after pip install 'isoplane[ray]'"
    """
    return f"{package} is not installed; available after pip install 'isoplane[{extra}]'"
