"""The exception for invalid user input."""


class InputError(ValueError):
    """Invalid input; the message is one line that names the value and the allowed values.

    The command line prints the message and exits with code 2.
    """
