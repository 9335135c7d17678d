"""Entry point: Ctrl-C or too little memory end the program with its exit code from the first import on."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, Ending
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory, memory_text
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.pipe import open_streams, piped

from .usage import VERBS, usage

HELP = ("-h", "--help")
ASKING = (*HELP, "help")  # before a verb, or as the first word after it
# Flags of Hydra that take the next word as their value.
VALUED = ("-c", "--cfg", "-p", "--package", "-cp", "--config-path", "-cn", "--config-name", "-cd", "--config-dir")


def main(arguments: list[str] | None = None) -> int:
    """Run `isoplane VERB ...` and return its exit code.

    0 done, 2 bad input, 3 target or gap not reached, 4 nothing feasible, 5 verification failed, 130 interrupted, 141
    closed pipe. Under ``--multirun`` the largest of the jobs' codes.

    Parameters
    ----------
    arguments
        The words after `isoplane`; those of the command line if None. Then this process is the program, and what
        remains of it after this call ignores SIGINT, SIGTERM and SIGHUP.
    """
    if arguments is None:
        gc.disable()  # until the job begins: to search what is imported, which lasts, takes a tenth of a command
    ending = Ending()
    INTERRUPT.requested = INTERRUPT.announced = False
    with INTERRUPT.caught(at_once=True, ignored_after=arguments is None):
        with _ended(ending), piped(ending):
            open_streams()
            ending.code = run_words(sys.argv[1:] if arguments is None else arguments)
        if arguments is None and ending.code == INTERRUPTED:
            _exit(ending.code)
    return ending.code


def _exit(code: int) -> None:
    """End the process without waiting for the native calls of its threads, whose results nobody needs."""
    with suppress(OSError):  # nobody may read the stream any more
        sys.stdout.flush()
    os._exit(code)


@contextmanager
def _ended(ending: Ending) -> Iterator[None]:
    """Turn Ctrl-C and too little memory, wherever they strike, into a line and an exit code."""
    try:
        yield
    except BaseException as error:
        if follows_interrupt(error):
            INTERRUPT.announce("isoplane: interrupted")
            ending.code = INTERRUPTED
            return
        if not is_lack_of_memory(error):  # such as while modules are imported
            raise
        print_message(f"isoplane: {memory_text(error)}")
        ending.code = BAD_INPUT


def run_words(words: list[str]) -> int:
    """Run the words of a command line, whose streams are open, and return the exit code."""
    if words and words[0] in ASKING and words[1:2] and words[1] in VERBS:
        words = [words[1], words[0], *words[2:]]
    if not words or words[0] in ASKING:
        print(usage(first=not words), flush=True)
        return 0 if words else BAD_INPUT
    if words[0] == "-V" or "--version" in words:
        print(f"isoplane {_version()}", flush=True)
        return 0
    verb, *rest = words
    if verb.partition("=")[0] == "--completion":
        return _print_completion(verb.partition("=")[2] or " ".join(rest))
    if verb not in VERBS:
        from isoplane.runs.terminal.nearest import did_you_mean

        print_message(f"isoplane: verb {verb!r}: expected {', '.join(VERBS)}{did_you_mean(verb, VERBS)}")
        return BAD_INPUT
    topics = help_topics(["--help", *rest[1:]] if rest[:1] == ["help"] else rest)
    if topics is not None:
        return _print_help(verb, topics, rest)
    from .verbs import run_verb  # heavy: Hydra

    return run_verb(verb, rest)


def help_topics(words: list[str]) -> list[str] | None:
    """Return the options that words with ``--help`` ask about; None without it.

    Examples
    --------
    >>> help_topics(["--config-dir", "mine", "--help", "network"]), help_topics(["seed=1"])
    (['network'], None)
    """
    if not any(word in HELP or word.startswith("--help=") for word in words):
        return None
    topics = [
        word.removeprefix("--help=") for before, word in zip(["", *words], words, strict=False) if before not in VALUED
    ]
    return [topic for topic in topics if not topic.startswith("-")]


def _print_completion(shell: str) -> int:
    from .completion import SHELLS, completion

    if shell not in SHELLS:
        print_message(f"isoplane: --completion={shell}: expected {', '.join(SHELLS)}")
        return BAD_INPUT
    print(completion(shell), end="", flush=True)
    return 0


def _version() -> str:
    """Return the version of the installation, which its folder of metadata is named after."""
    for folder in sys.path:
        try:
            names = [entry.name for entry in os.scandir(folder or ".")]
        except OSError:
            continue
        for name in names:
            if name.startswith("isoplane-") and name.endswith(".dist-info"):
                return name.removesuffix(".dist-info").partition("-")[2]
    from importlib.metadata import version  # finds others too, and takes twice the time of the rest of the program

    return version("isoplane")


def _print_help(verb: str, topics: list[str], words: list[str]) -> int:
    from isoplane.runs.config.installed_choices import choices_folder

    from .help_text import help_text

    try:
        text = help_text(verb, topics, choices_folder(words))
    except (OSError, ValueError) as error:
        print_message(f"isoplane {verb}: {error}")
        return BAD_INPUT
    print(text, flush=True)
    return 0
