"""The verbs as functions of Python, and their results."""
