"""One run of a verb: its words become a config, and errors one line with an exit code."""

import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from pathlib import Path

from omegaconf import DictConfig, open_dict, read_write

from isoplane.models import InputError
from isoplane.runs.config.allowed_keys import check_keys
from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, Ending
from isoplane.runs.terminal.heartbeat import beating
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory
from isoplane.runs.terminal.messages import print_message

from .errors import describe
from .hydra_folders import check_folders
from .sweep_jobs import sweep_has_ended

# Hydra's own logging and folders would only duplicate the output of the verbs.
QUIET = ("hydra/job_logging=disabled", "hydra/hydra_logging=disabled", "hydra.output_subdir=null")


def run_verb(verb: str, words: list[str]) -> int:
    """Run a verb with the rest of its command line, and return the exit code.

    A single run composes its config and is a call; flags, such as ``--multirun``, need Hydra's own application.
    """
    from isoplane.runs.inputs.yaml_files import watch_sources

    try:
        flags, overrides = _split_words(words)
    except ValueError as problem:
        print_message(f"isoplane {verb}: {problem}; isoplane {verb} --help shows the options")
        return BAD_INPUT
    watch_sources()
    if flags or any(word.lstrip("+").startswith("hydra.mode=") for word in overrides):
        from .applications import run_application

        return run_application(verb, flags, overrides)
    ending = Ending()
    with errors_in_one_line(verb, overrides, ending), configured(verb, overrides) as config:
        ending.code = run_job(verb, config)
    return ending.code


def run_job(verb: str, config: DictConfig) -> int:
    """Run a verb with its config, and return the exit code.

    Raises
    ------
    InputError
        If a key or value is not allowed.
    """
    from isoplane.objectives import chosen_isa
    from isoplane.runs.config.config_values import plain

    with INTERRUPT.caught(at_once=True), beating(verb):
        if INTERRUPT.requested:  # in an earlier job of the sweep, or where a library ignores exceptions
            raise KeyboardInterrupt
        if sweep_has_ended():
            return INTERRUPTED
        check_keys(verb, plain(config))
        try:
            chosen_isa()
        except RuntimeError as error:  # bad value of the environment variable that selects an instruction set
            raise InputError(str(error)) from error
        code: int = import_module(f"isoplane.runs.cli.{verb.replace('-', '_')}").run(config)
        sys.stdout.flush()
        return code


@contextmanager
def configured(verb: str, overrides: Sequence[str]) -> Iterator[DictConfig]:
    """Compose the config of a single run, which `HydraConfig` describes inside the block.

    Raises
    ------
    InputError
        If the overrides make no config.
    """
    from hydra import compose, initialize_config_module
    from hydra.core.hydra_config import HydraConfig

    with composition_errors(verb, overrides), initialize_config_module("isoplane.conf", version_base="1.3"):
        config = compose(verb, [*QUIET, *overrides], return_hydra_config=True)
    check_folders(config, multirun=False)
    described = HydraConfig.instance().cfg
    with read_write(config), open_dict(config):
        config.hydra.runtime.output_dir = str(Path(config.hydra.run.dir).absolute())
        HydraConfig.instance().set_config(config)
        del config["hydra"]
    try:
        yield config
    finally:
        HydraConfig.instance().cfg = described


@contextmanager
def composition_errors(verb: str, overrides: Sequence[str], jobs: Sequence[int] = ()) -> Iterator[None]:
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
def errors_in_one_line(verb: str, overrides: Sequence[str], ending: Ending) -> Iterator[None]:
    """Print one line for an expected error or Ctrl-C in the block, and set the exit code; other errors are raised."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        yield
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
            print_message(f"isoplane {verb}: {describe(verb, overrides, error)}")
            ending.code = BAD_INPUT
            return
    INTERRUPT.announce(f"isoplane {verb}: interrupted")
    ending.code = INTERRUPTED


def _split_words(words: list[str]) -> tuple[list[str], list[str]]:
    """Return flags and overrides separately, because Hydra accepts overrides only on one side of a flag.

    Raises
    ------
    ValueError
        If a flag is wrong; Hydra itself would print a page of usage.
    """
    from hydra._internal.utils import get_args_parser

    usage = io.StringIO()
    try:
        with redirect_stderr(usage):
            known, unknown = get_args_parser().parse_known_intermixed_args(words)
    except SystemExit as end:
        if not end.code:
            raise
        raise ValueError(usage.getvalue().strip().rpartition("error: ")[2]) from end
    if unknown:
        raise ValueError(f"{unknown[0]}: unknown flag")
    if known.experimental_rerun is not None:
        raise ValueError("--experimental-rerun: it would run code from a file; expected isoplane search resume=FOLDER")
    rest = Counter(known.overrides)
    flags = []
    for word in words:
        if rest[word]:
            rest[word] -= 1
        else:
            flags.append(word)
    return flags, known.overrides
