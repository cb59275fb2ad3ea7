"""Samarati's search: the least height of the lattice at which a vector satisfies.

``Find_vector`` (Samarati 2001, section 5) is a binary search over heights: if no vector of a height
satisfies, none below does, because the number of suppressed rows never rises with the vector. At each
height that it tries, vectors are asked in the order of DESIGN 5.11 (smaller relative distance, then smaller
vector), so the first that satisfies at the least height is the very vector that 5.11 names. That is
:class:`.textbook.Textbook`.

:class:`.pruned.Pruned` gives the same vector with far fewer questions. It does not bisect: a model (see
:mod:`.model`) guesses a good vector for every height, so that the lowest one that satisfies stands at the
least height or a little above it. Then the height below is proven empty, or a vector found there takes its
place, until a height is proven empty. Why the answer is the same:

* The height h that it ends with has a vector that satisfies (it was asked). Height h − 1 is empty: every one
  of its vectors was asked and failed, or lies below one that was asked and failed. So no lower height has
  one either, by the same fact that the bisection rests on, and h is the least height.
* Within h it takes the first vector in the order of 5.11 of which it knows that it satisfies, once every
  vector before it is known to fail.

The model decides only what is asked next; nothing follows from it.

All this rests on the number of suppressed rows never rising with the vector, which some privacy models do not
grant once violating classes are suppressed (DESIGN section 6, the trap): a class that satisfies may merge with
one that does not, and be suppressed with it. For those a counter gives, beside the outliers, a floor: rows that
are suppressed at the least at a vector and at every smaller one (:class:`kanon_sql.lattice.Counts`). The floor
never rises with the vector, so "the floor is within MaxSup" is a condition for which everything above holds,
and what satisfies also fulfils it. So the search is run on the floor first, which proves that no vector below a
height can satisfy, and an ascent then asks, height by height, every vector that the floor of no vector
above it rules out. The first height with one that satisfies is the least, since all lower ones were asked or
ruled out, and the first such vector in order is that of 5.11.

(No violating class at a vector would let everything above it pass, where every model is monotone under
generalization. The ascent has no use for that: it ends at the height of the first vector that satisfies.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kanon_sql.lattice import Lattice
from kanon_sql.search.base import Counter, SearchProgress, SearchResult
from kanon_sql.search.budget import Budget, OutOfTime
from kanon_sql.search.knowledge import Knowledge
from kanon_sql.search.pruned import Pruned
from kanon_sql.search.textbook import Textbook


def find_vector(
    lattice: Lattice,
    counter: Counter,
    max_suppressed: int,
    *,
    pruning: bool = True,
    progress: Callable[[SearchProgress], None] | None = None,
    known: Knowledge | None = None,
    budget: Budget | None = None,
) -> SearchResult:
    """The vector of least height that suppresses at most ``max_suppressed`` rows (DESIGN 5.11).

    Sound for every privacy model: the number of suppressed rows may rise with the vector where the counter
    says so, by counts whose floor is not the number of outliers.

    Args:
        lattice: the lattice to search.
        counter: asked for the counts of vectors.
        max_suppressed: MaxSup, in rows.
        pruning: decide vectors by what is known of others; without it the search is the textbook's.
        progress: told how far the search is.
        known: what is known of the lattice beforehand (it is added to); where there is a floor, of the floors.
        budget: the time there is; when it is up, the lowest vector that was found is given, not proven minimal.

    Raises:
        NothingSatisfies: no vector does.
        OutOfTime: the time was up before any vector was found that does.
    """
    kind = Pruned if pruning else Textbook
    search = kind(lattice, counter, max_suppressed, progress, known, budget)
    try:
        search.begin()
        least = search.least_height()
        ascended = not search.is_monotone
        found = search.ascend(least) if ascended else search.first_admitted(least)
    except OutOfTime:
        lowest = search.lowest_satisfying()
        if lowest is None:
            raise
        return replace(search.result(lowest, ascended=not search.is_monotone), proven_minimal=False)
    if found is None:
        raise search.nearest()
    return search.result(found, ascended=ascended)
