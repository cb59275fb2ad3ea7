"""Which vectors to ask so that a height is decided with few questions.

To show that no vector of a height satisfies, they need not be asked one by one: a vector above them that
fails, fails them all (fail pruning, see :mod:`.knowledge`). So from an undecided vector one climbs as long as
that raises the number of undecided vectors that the question is expected to decide: those below it, times
its chance to fail. The chance comes from the model and may be wrong; a wrong guess costs a question and
nothing else. What is known to satisfy is not climbed to: asking it would decide nothing.
"""

from __future__ import annotations

from kanon_sql.lattice import DistanceVector
from kanon_sql.search.knowledge import Stretch, UpperSet, lowest_bit
from kanon_sql.search.model import SuppressionModel


def choose_batch(
    stretch: Stretch,
    undecided: int,
    model: SuppressionModel,
    satisfying: UpperSet,
    size: int,
    *,
    certain: float = 0.0,
) -> list[DistanceVector]:
    """At most ``size`` vectors to ask, at or above the height of the stretch.

    Every one is at or above the first vector that would still be undecided if the earlier ones failed, and none
    but that vector itself is known to satisfy, so a batch always decides something: its first vector, or (should
    it satisfy) a little more is known above.

    Args:
        stretch: the vectors of a height.
        undecided: those of them (bits) whose verdict is not known.
        model: the guess.
        satisfying: what is known to satisfy.
        size: the largest batch.
        certain: how many vectors are decided for certain by asking a vector of the stretch itself: one, where
            what satisfies is not decided by what is above; a vector above must then be expected to decide more.
    """
    chosen: list[DistanceVector] = []
    while undecided and len(chosen) < size:
        vector = _climb(stretch, undecided, model, satisfying, certain)
        chosen.append(vector)
        undecided &= ~stretch.below(vector)
    return chosen


def _climb(
    stretch: Stretch, undecided: int, model: SuppressionModel, satisfying: UpperSet, certain: float
) -> DistanceVector:
    vector = stretch.vectors[lowest_bit(undecided)]
    predicted = model.predict(vector)
    score = max(model.chance_to_fail(predicted) * (stretch.below(vector) & undecided).bit_count(), certain)
    while True:
        better: list[tuple[float, int, float]] = []
        for position, (effects, decided) in enumerate(
            zip(model.effects, stretch.below_one_up(vector, undecided), strict=True)
        ):
            level = vector[position]
            if level + 1 == len(effects):
                continue
            raised = predicted + effects[level + 1] - effects[level]
            gain = model.chance_to_fail(raised) * decided.bit_count()
            if gain > score:
                better.append((gain, position, raised))
        # The best first; of equal ones the first quasi-identifier.
        for gain, position, raised in sorted(better, key=lambda each: -each[0]):
            higher = (*vector[:position], vector[position] + 1, *vector[position + 1 :])
            if higher not in satisfying:
                vector, score, predicted = higher, gain, raised
                break
        else:
            return vector
