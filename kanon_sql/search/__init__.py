"""The search over the lattice: it knows vectors and counts, and no SQL."""

from kanon_sql.search.base import Counter, NothingSatisfies, SearchProgress, SearchResult
from kanon_sql.search.budget import Budget, OutOfTime
from kanon_sql.search.every import MinimalSet, find_minimal
from kanon_sql.search.knowledge import Knowledge
from kanon_sql.search.optimal import Optimum, Valuer, find_optimum
from kanon_sql.search.policies import POLICIES, Policy, prefer
from kanon_sql.search.samarati import find_vector

__all__ = [
    "POLICIES",
    "Budget",
    "Counter",
    "Knowledge",
    "MinimalSet",
    "NothingSatisfies",
    "Optimum",
    "OutOfTime",
    "Policy",
    "SearchProgress",
    "SearchResult",
    "Valuer",
    "find_minimal",
    "find_optimum",
    "find_vector",
    "prefer",
]
