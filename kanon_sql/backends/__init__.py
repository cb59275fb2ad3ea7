"""Engines: run a statement, open a transaction, know the catalog, stop when asked. No privacy in here."""

from kanon_sql.backends.base import Catalogued, Engine, Executed, Settings, Tracer

__all__ = ["Catalogued", "Engine", "Executed", "Settings", "Tracer"]
