"""The one exception that a user's mistake raises."""


class InputError(ValueError):
    """Bad input, told in one line that names the value and what is allowed.

    The command line prints the message and ends with exit code 2; nothing else of the library raises it.
    """
