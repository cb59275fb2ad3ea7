"""The search over the lattice: it knows vectors and counts, and no SQL."""

from kanon_sql.search.knowledge import Knowledge
from kanon_sql.search.samarati import Counter, NothingSatisfies, SearchProgress, SearchResult, find_vector

__all__ = ["Counter", "Knowledge", "NothingSatisfies", "SearchProgress", "SearchResult", "find_vector"]
