"""Measures of loss: one small class per measure, each with its formula, source and direction."""

from kanon_sql.measures.base import Facts, Measure
from kanon_sql.measures.basic import MEASURES, Accuracy, Completeness, measure_all

__all__ = ["MEASURES", "Accuracy", "Completeness", "Facts", "Measure", "measure_all"]
