"""The one home of the version number (pyproject reads it from here)."""

__version__ = "0.1.0"
