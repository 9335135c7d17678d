"""Settings of all tests."""

from hypothesis import settings

# The same examples in every run, so that a failure is one of the change and not of the day.
settings.register_profile("isoplane", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("isoplane")
