"""The test oracle: k-anonymity by plain Python brute force, written apart from the package.

Nothing here imports ``kanon_sql`` and nothing here knows SQL, so that an agreement between the two is
evidence. The meanings are those of DESIGN.md sections 5 and 7, and of P. Samarati, "Protecting Respondents'
Identities in Microdata Release", IEEE TKDE 13(6), 2001 (the "Knowls" of its summary). Two forms count the
outliers of a vector:

* ``ByGrouping``: generalize every row, group, suppress violating classes whole (Knowl 4);
* ``ByDistanceMatrix``: the paper's section 5, tuple-level distances (Knowl 8).

``ExhaustiveSearch`` asks either form for every vector of the lattice. The models beyond k are in ``privacy``,
one class each by its definition, and ``WithModels`` suppresses by all of them together. What a release loses
is in ``measures`` (where ARX counts otherwise, in ``arx``), where its suppressed rows came from in ``lost``, and
which vector each ``search:`` answers with, under policies and objectives, in ``choice``. Random cases for
hypothesis stand apart: ``from tests.oracle.strategies import Case, cases``, and with models
``from tests.oracle.model_strategies import ModelCase, model_cases``.
"""

from tests.oracle.by_distance_matrix import ByDistanceMatrix
from tests.oracle.by_grouping import ByGrouping
from tests.oracle.by_models import BISECTION_IS_WRONG, Sensitive, SmallCase, WithModels
from tests.oracle.choice import Optimum, WholeLattice, k_minimal, preferred
from tests.oracle.csvtext import hierarchy_csv, read_hierarchy, write_hierarchy
from tests.oracle.lost import Lost, SuppressionPer, lost_by_qi
from tests.oracle.measures import BETTER, Outcome, measure
from tests.oracle.model import (
    OracleHierarchy,
    OracleUnmapped,
    as_text,
    flat,
    typed,
    typed_counter,
)
from tests.oracle.search import ExhaustiveSearch, accuracy, completeness, height, relative_distance

__all__ = [
    "BETTER",
    "BISECTION_IS_WRONG",
    "ByDistanceMatrix",
    "ByGrouping",
    "ExhaustiveSearch",
    "Lost",
    "Optimum",
    "OracleHierarchy",
    "OracleUnmapped",
    "Outcome",
    "Sensitive",
    "SmallCase",
    "SuppressionPer",
    "WholeLattice",
    "WithModels",
    "accuracy",
    "as_text",
    "completeness",
    "flat",
    "height",
    "hierarchy_csv",
    "k_minimal",
    "lost_by_qi",
    "measure",
    "preferred",
    "read_hierarchy",
    "relative_distance",
    "typed",
    "typed_counter",
    "write_hierarchy",
]
