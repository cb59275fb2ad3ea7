"""Mapping tables, the encoded frequency set, and counts for vectors.

:mod:`~kanon_sql.frequency.mapping` loads hierarchies into the engine, :mod:`~kanon_sql.frequency.layout` says
where a trie code's digits stand in a key, :mod:`~kanon_sql.frequency.counting` answers the search
(:mod:`~kanon_sql.frequency.shares` where the values of a column may lose no more than a share),
:mod:`~kanon_sql.frequency.valuing` finds out what measures need to know.
"""

from kanon_sql.frequency.counting import DirectCounter, FrequencyCounter
from kanon_sql.frequency.layout import KeyLayout
from kanon_sql.frequency.mapping import load_mappings
from kanon_sql.frequency.sensitive import load_sensitive
from kanon_sql.frequency.shares import ShareCounter
from kanon_sql.frequency.valuing import Valuer

__all__ = [
    "DirectCounter",
    "FrequencyCounter",
    "KeyLayout",
    "ShareCounter",
    "Valuer",
    "load_mappings",
    "load_sensitive",
]
