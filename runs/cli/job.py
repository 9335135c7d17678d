"""One job of a verb, whose errors become one line and an exit code."""

import gc
import re
import shlex
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.runs.config.allowed_keys import check_keys
from isoplane.runs.config.config_values import SIZES, key_of
from isoplane.runs.config.option_files import head_of, options_of
from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, Ending
from isoplane.runs.terminal.heartbeat import beating
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.nearest import with_nearest

from .errors import describe
from .sweep_jobs import sweep_has_ended

MISSING = re.compile(r"(?:[\w.]+=null|nothing to report): expected ")
BEST = "record=best"  # what a message ends with where this would do
# Hydra's own logging and folders would only duplicate the output of the verbs.
QUIET = ("hydra/job_logging=disabled", "hydra/hydra_logging=disabled", "hydra.output_subdir=null")


def run_job(verb: str, config: DictConfig) -> int:
    """Run a verb with its config, and return the exit code."""
    from isoplane.objectives import chosen_isa
    from isoplane.runs.config.config_values import plain

    with INTERRUPT.caught(at_once=True), beating(verb):
        if INTERRUPT.requested:  # in an earlier job of the sweep, or where a library ignores exceptions
            raise KeyboardInterrupt
        if sweep_has_ended():
            return INTERRUPTED
        check_keys(verb, plain(config), is_typed=True)
        try:
            chosen_isa()
        except RuntimeError as error:  # bad value of the environment variable that selects an instruction set
            raise InputError(str(error)) from error
        run = import_module(f"isoplane.runs.cli.{verb.replace('-', '_')}").run
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        code: int = run(config)
        sys.stdout.flush()
        return code


@contextmanager
def composition_errors(verb: str, overrides: Sequence[str], jobs: Collection[int] = ()) -> Iterator[None]:
    """Turn the errors of Hydra and OmegaConf for overrides that make no config into an `InputError`.

    Once there are jobs, whose configs are composed, errors are raised as they are.
    """
    from yaml import YAMLError

    try:
        yield
    except (ValueError, TypeError, AssertionError, KeyError, YAMLError) as error:
        if jobs:
            raise
        raise InputError(describe(verb, overrides, error)) from error


@contextmanager
def errors_in_one_line(verb: str, overrides: Sequence[str], ending: Ending) -> Iterator[Ending]:
    """Print one line for an expected error or Ctrl-C in the block, and set the exit code; other errors are raised."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        yield ending
        return
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        pass
    except Exception as error:
        if not follows_interrupt(error):
            expected = (InputError, HydraException, OmegaConfBaseException, OSError)
            if not isinstance(error, expected) and not is_lack_of_memory(error):
                raise
            message = with_nearest(describe(verb, overrides, error))
            print_message(f"isoplane {verb}: {message}{_example(verb, overrides, message, error)}")
            ending.code = BAD_INPUT
            return
    INTERRUPT.announce(f"isoplane {verb}: interrupted")
    ending.code = INTERRUPTED


def _example(verb: str, overrides: Sequence[str], message: str, error: Exception | None = None) -> str:
    """Return the end of a message that something is missing: a command that has it, the user's own where that is known.

    That of an error with `InputError.options` is the user's command with them, unless its network is that of a record.

    Examples
    --------
    >>> _example("import", [], "file=null: expected a file"), _example("export", ["nodes=0"], "nodes=0: expected 1")
    ('; for example: isoplane import file=ibnetdiscover.txt', '')
    >>> _example("search", ["nodes=10"], "ports=null: expected nodes and ports, such as ports=36")
    '; for example: isoplane search nodes=10 ports=36'
    """
    options = error.options if isinstance(error, InputError) else ()
    words = {word.partition("=")[0]: word for word in (*overrides, *options)}
    if options and "record" not in words:
        return f"; for example: {shlex.join(['isoplane', verb, *words.values()])}"
    if not MISSING.match(message) or message.partition(": ")[0] in overrides:  # not missing: given as null
        return ""
    if (missing := message.partition("=")[0]) in SIZES:
        examples = map(shlex.split, head_of(verb)[1])
        example = next(words for words in examples if missing in _options_of(words))
        added = [word for word in example[2:] if key_of(word) not in _options_of(overrides)]
        return f"; for example: {shlex.join([*example[:2], *overrides, *added])}"
    if not message.endswith(BEST) or not {"record", "design"} & options_of(verb).keys():
        return f"; for example: {head_of(verb)[1][0]}"
    others = [word for word in overrides if not word.startswith("network.") or word.startswith("network.n=")]
    return f"; for example: {shlex.join(['isoplane', verb, *others, BEST])}"


def _options_of(words: Sequence[str]) -> set[str]:
    return {key_of(word) for word in words}
