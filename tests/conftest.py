"""Settings of all tests."""

import sys

import absl.logging
from hypothesis import settings

# The same examples in every run, so that a failure is one of the change and not of the day.
settings.register_profile("isoplane", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("isoplane")

# OR-Tools brings absl, whose log handler closes the stream that was standard error when it was made, as soon as Hydra
# sets up logging. Under pytest that stream is a capture; the real one is never closed.
absl.logging.get_absl_handler().python_handler.setStream(sys.__stderr__)
