"""Measures of loss: one small class per measure, each with its formula, source, range, direction and bound.

What a measure looks at is in :class:`Facts`, which :class:`kanon_sql.frequency.Valuer` fills for many vectors at
once. A measure that adds up losses of labels names their :class:`LabelLoss`, whose template stands in
``sql/measures/``. Another package adds a measure by the entry point group ``kanon_sql.measures``.
"""

from kanon_sql.measures.base import Facts, LabelLoss, Losses, Measure, whole_weights
from kanon_sql.measures.registry import OWN, find_measure, measure_all, measures

__all__ = [
    "OWN",
    "Facts",
    "LabelLoss",
    "Losses",
    "Measure",
    "find_measure",
    "measure_all",
    "measures",
    "whole_weights",
]
