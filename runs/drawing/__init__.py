"""The one style of charts and pages."""
