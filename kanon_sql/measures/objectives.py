"""The measures that ``search: optimal`` can be asked to make best (DESIGN 7), by their words."""

from __future__ import annotations

OBJECTIVES: tuple[str, ...] = (
    "gcp",
    "gcp_geometric",
    "prec",
    "accuracy",
    "completeness",
    "discernibility",
    "discernibility_star",
    "average_class_size",
    "c_avg",
    "non_uniform_entropy",
)
