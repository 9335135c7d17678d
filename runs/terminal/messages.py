"""Messages on standard error: one line each, of bounded length whatever the input."""

import sys

LONGEST = 500  # characters of a line
CUT = " ... "
_sent: list[str] = []  # all messages of this process


def print_message(text: str) -> None:
    """Print one line on standard error."""
    _sent.append(one_line(text))
    print(_sent[-1], file=sys.stderr, flush=True)


def messages_from(number: int) -> list[str]:
    """Return the messages of this process without the first ones, for the process that launched it."""
    return _sent[number:]


def one_line(text: str) -> str:
    r"""Return a text as one line of at most `LONGEST` characters.

    Of a longer text the middle is left out: messages begin with what is wrong, and end with what is expected.

    Examples
    --------
    >>> one_line("names=a\nb: expected a file")
    'names=a\\nb: expected a file'
    >>> len(one_line("x" * 10**6)), one_line("nodes=" + "1" * 10**6 + ": expected a number")[-30:]
    (500, '11111111111: expected a number')
    """
    text = printable(text)
    if len(text) <= LONGEST:
        return text
    kept = LONGEST - len(CUT)
    return f"{text[: kept - kept // 2]}{CUT}{text[len(text) - kept // 2 :]}"


def printable(text: str) -> str:
    r"""Return a text whose characters that a terminal does not print are escaped.

    Examples
    --------
    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
