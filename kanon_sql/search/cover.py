"""Which vectors to ask so that a height is decided with few questions.

To show that no vector of a height satisfies, they need not be asked one by one: a vector above them that
fails, fails them all (fail pruning, see :mod:`.knowledge`). So from an undecided vector one climbs as long as
that raises the number of undecided vectors that the question is expected to decide: those below it, times
its chance to fail. The chance comes from the model and may be wrong; a wrong guess costs a question and
nothing else.
"""

from __future__ import annotations

from kanon_sql.lattice import DistanceVector
from kanon_sql.search.knowledge import Stretch, lowest_bit
from kanon_sql.search.model import SuppressionModel


def choose_batch(
    stretch: Stretch, undecided: int, model: SuppressionModel, size: int, *, certain: float = 0.0
) -> list[DistanceVector]:
    """At most ``size`` vectors to ask, at or above the height of the stretch.

    Every one is at or above the first vector that would still be undecided if the earlier ones failed, so a
    batch always decides something: its first vector, or (should it satisfy) a little more is known above.

    Args:
        stretch: the vectors of a height.
        undecided: those of them (bits) whose verdict is not known.
        model: the guess.
        size: the largest batch.
        certain: how many vectors are decided for certain by asking a vector of the stretch itself: one, where
            what satisfies is not decided by what is above; a vector above must then be expected to decide more.
    """
    chosen: list[DistanceVector] = []
    while undecided and len(chosen) < size:
        vector = _climb(stretch, undecided, model, certain)
        chosen.append(vector)
        undecided &= ~stretch.below(vector)
    return chosen


def _climb(stretch: Stretch, undecided: int, model: SuppressionModel, certain: float) -> DistanceVector:
    vector = stretch.vectors[lowest_bit(undecided)]
    predicted = model.predict(vector)
    below = stretch.below(vector)
    score = max(model.chance_to_fail(predicted) * (below & undecided).bit_count(), certain)
    tops = model.lattice.heights
    while True:
        best: tuple[float, int, float] | None = None
        for position, level in enumerate(vector):
            if level == tops[position]:
                continue
            effects = model.effects[position]
            raised = predicted + effects[level + 1] - effects[level]
            higher = (*vector[:position], level + 1, *vector[position + 1 :])
            gain = model.chance_to_fail(raised) * (stretch.below(higher) & undecided).bit_count()
            if gain > score and (best is None or gain > best[0]):
                best = (gain, position, raised)
        if best is None:
            return vector
        score, position, predicted = best
        vector = (*vector[:position], vector[position] + 1, *vector[position + 1 :])
