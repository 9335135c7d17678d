"""One fact with many cases is one test, which names the case that fails."""

import functools
import inspect
from collections.abc import Callable, Iterable

import pytest

from isoplane.models import InputError


def for_each(names: str | tuple[str, ...], cases: Iterable[object]) -> Callable[[Callable], Callable]:
    """Run a test once for each case, like `pytest.mark.parametrize`, but as a single test.

    The cases share the fixtures of the test. The first case that fails ends it and is named below its traceback.
    """
    name_list = [names] if isinstance(names, str) else list(names)
    case_list = list(cases)
    assert case_list, "a test without cases cannot fail"

    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def run(**fixtures):
            for case in case_list:
                values = case if isinstance(names, tuple) else (case,)
                arguments = dict(zip(name_list, values, strict=True))
                try:
                    test(**arguments, **fixtures)
                except BaseException as error:
                    error.add_note(f"in the case {arguments}")
                    raise

        signature = inspect.signature(test)
        parameters = [parameter for name, parameter in signature.parameters.items() if name not in name_list]
        assert len(parameters) + len(name_list) == len(signature.parameters), f"{test.__name__} lacks one of {names}"
        run.__signature__ = signature.replace(parameters=parameters)
        return run

    return decorate


def require_refusal(make: Callable[[], object], says: str) -> InputError:
    """Return an `InputError` of one line that must contain a text; ^ and $ stand for the ends of its message."""
    with pytest.raises(InputError) as caught:
        make()
    assert "\n" not in str(caught.value)
    assert says in f"^{caught.value}$"
    return caught.value
