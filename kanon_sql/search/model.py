"""A guess at how many rows a vector suppresses: it orders the search's questions and proves nothing.

A number that stands for S, the suppressed rows, is taken as additive in the levels: an intercept, and for every step
of every quasi-identifier how much it lowers the sum. The steps are fitted to what has been counted so far by weighted
ridge regression towards a first guess, counts near MaxSup weighing most, since that is where the guess matters.

What stands for S is a :class:`Link`'s business. Of small tables it is log(1 + S), and the first guess is equal steps
from ⊥ to ⊤. Of large ones, where a question is dear and most vectors suppress all or nothing, it is the logarithm of
the classes per row, since S follows from the mean size of a class if rows fall into classes at random, and the first
guess is how many labels every level has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import erf, exp, expm1, inf, log, log1p, sqrt
from operator import mul
from typing import Protocol

from kanon_sql.lattice import DistanceVector, Lattice, Prior

_RIDGE = 0.05
# From this k on the sum over sizes is taken as a normal distribution.
_LARGE_K = 200


class Link(Protocol):
    """From suppressed rows to the number that is additive in the levels, and back.

    Attributes:
        least_spread: how far a guess is off at the least.
    """

    least_spread: float

    def latent(self, suppressed: float) -> float:
        """The number that stands for S."""
        ...

    def suppressed(self, latent: float) -> float:
        """S."""
        ...

    def says_nothing(self, suppressed: float, predicted: float) -> bool:
        """Whether a count only repeats a prediction: all or nothing is suppressed, and so it was guessed."""
        ...


class LogLink:
    """log(1 + S).

    >>> round(LogLink().suppressed(LogLink().latent(9)))
    9
    """

    least_spread = 0.25

    def latent(self, suppressed: float) -> float:
        return log1p(suppressed)

    def suppressed(self, latent: float) -> float:
        return expm1(latent)

    def says_nothing(self, suppressed: float, predicted: float) -> bool:
        return False


class OccupancyLink:
    """log(classes / rows), with S = rows · P(1 + N < k), N Poisson of mean rows / classes: how many others a row
    finds in its class, if rows fall into classes at random.

    >>> link = OccupancyLink(1000, 5)
    >>> round(link.suppressed(link.latent(100)))
    100
    """

    least_spread = 0.08

    def __init__(self, rows: int, k: int) -> None:
        self._rows = rows
        self._k = k
        self._least, self._most = self.latent(0), self.latent(rows)

    def latent(self, suppressed: float) -> float:
        wanted = min(max(suppressed, 0.5), self._rows - 0.5)
        low, high = -40.0, 40.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self.suppressed(middle) < wanted else (low, middle)
        return (low + high) / 2

    def suppressed(self, latent: float) -> float:
        mean = exp(-latent)
        most = self._k - 2
        if most < 0:
            return 0.0
        if mean > 700 or self._k > _LARGE_K:
            return self._rows * 0.5 * (1 + erf((most + 0.5 - mean) / sqrt(2 * mean)))
        term = exp(-mean)
        total = term
        for i in range(1, most + 1):
            term *= mean / i
            total += term
        return self._rows * min(total, 1.0)

    def says_nothing(self, suppressed: float, predicted: float) -> bool:
        return (suppressed < 1 and predicted <= self._least) or (
            suppressed > self._rows - 1 and predicted >= self._most
        )


class SuppressionModel:
    """Predicts what stands for the suppressed rows of a vector.

    Args:
        lattice: the lattice.
        max_suppressed: MaxSup; a vector fails when it suppresses more.
        start: the first guess of ⊥.
        steps: per quasi-identifier, per level of the lattice but the highest, the first guess at how much the step up
            from it lowers the sum (a negative number); None for equal ones.
        link: what stands for S.
    """

    def __init__(
        self,
        lattice: Lattice,
        max_suppressed: int,
        start: float,
        steps: Sequence[Sequence[float]] | None = None,
        link: Link | None = None,
    ) -> None:
        self.lattice = lattice
        self.link: Link = link or LogLink()
        # A vector fails from MaxSup + 1 on; half way between the two the guess is even.
        self.threshold = (self.link.latent(max_suppressed) + self.link.latent(max_suppressed + 1)) / 2
        self._first = [1]
        for steps_of_one in lattice.steps:
            self._first.append(self._first[-1] + steps_of_one)
        self._size = self._first[-1]
        step = -start / max(self._size - 1, 1)
        flat = [each for column in steps for each in column] if steps else [step] * (self._size - 1)
        self._weights = [start, *flat]
        self._prior = list(self._weights)
        self._moments = [[_RIDGE * (i == j) for j in range(self._size)] for i in range(self._size)]
        self._targets = [_RIDGE * weight for weight in self._prior]
        # Of what was observed: the sums of the weights, and of weight · value².
        self._weight = self._squares = 0.0
        self.spread = 1.0
        self._tabulate()

    @classmethod
    def of_rows(cls, lattice: Lattice, max_suppressed: int, rows: int) -> SuppressionModel:
        """The model of a small table, of which ⊥ suppresses about so many rows."""
        return cls(lattice, max_suppressed, log1p(rows))

    @classmethod
    def of_prior(cls, lattice: Lattice, max_suppressed: int, prior: Prior) -> SuppressionModel:
        """The model of a large table."""
        allowed = zip(prior.labels, lattice.bottom, lattice.top, strict=True)
        sizes = [[log(max(number, 1)) for number in column[low : high + 1]] for column, low, high in allowed]
        start = sum(column[0] for column in sizes) - log(prior.rows)
        steps = [[up - low for low, up in pairwise(column)] for column in sizes]
        return cls(lattice, max_suppressed, start, steps, OccupancyLink(prior.rows, prior.k))

    def guess(self, vector: DistanceVector) -> float:
        """About how many rows a vector suppresses."""
        return self.link.suppressed(self.predict(vector))

    def _active(self, vector: DistanceVector) -> list[int]:
        """The features of a vector: the intercept and every step that it has taken."""
        active = [0]
        for first, low, level in zip(self._first, self.lattice.bottom, vector, strict=False):
            active.extend(range(first, first + level - low))
        return active

    def observe(self, vector: DistanceVector, suppressed: int) -> None:
        """Take in a count."""
        if self.link.says_nothing(suppressed, self.predict(vector)):
            return
        value = self.link.latent(suppressed)
        weight = 1 / (0.25 + (value - self.threshold) ** 2)
        active = self._active(vector)
        for i in active:
            row = self._moments[i]
            for j in active:
                row[j] += weight
            self._targets[i] += weight * value
        self._weight += weight
        self._squares += weight * value**2

    def fit(self) -> None:
        """Fit the steps to what has been observed."""
        self._weights = _solve(self._moments, self._targets)
        if self._weight:
            self.spread = max(sqrt(self._error() / self._weight), self.link.least_spread)
        self._tabulate()

    def _error(self) -> float:
        """Σ weight · (value − prediction)² over what was observed, from the sums that the fit keeps (less the ridge's
        part): so its cost does not grow with what was seen."""
        weights = self._weights
        error = self._squares
        for i, (row, target, prior) in enumerate(zip(self._moments, self._targets, self._prior, strict=True)):
            observed = sum(map(mul, row, weights)) - _RIDGE * weights[i]
            error += weights[i] * (observed - 2 * (target - _RIDGE * prior))
        return max(error, 0.0)

    def _tabulate(self) -> None:
        # Per level, up to the highest allowed; those below the lowest are never asked about.
        self.effects = []
        for first, low, steps in zip(self._first, self.lattice.bottom, self.lattice.steps, strict=False):
            effects = [0.0] * (low + 1)
            for step in range(steps):
                # Suppression never rises with the vector, whatever the fit says.
                effects.append(effects[-1] + min(self._weights[first + step], 0.0))
            self.effects.append(effects)

    def predict(self, vector: DistanceVector) -> float:
        """The guess at what stands for S."""
        return self._weights[0] + sum(effects[v] for effects, v in zip(self.effects, vector, strict=True))

    def chance_to_fail(self, predicted: float) -> float:
        """How likely a vector of this prediction suppresses more than MaxSup."""
        return 0.5 * (1 + erf((predicted - self.threshold) / (self.spread * sqrt(2))))

    def best_per_height(self) -> list[DistanceVector]:
        """Per height, from that of ⊥ upwards, the vector that is guessed to suppress fewest: a knapsack over the
        additive steps."""
        best: list[tuple[float, DistanceVector]] = [(0.0, ())]
        for effects, low in zip(self.effects, self.lattice.bottom, strict=True):
            grown: list[tuple[float, DistanceVector]] = [(inf, ())] * (len(best) + len(effects) - 1 - low)
            for above, (cost, vector) in enumerate(best):
                for step, effect in enumerate(effects[low:]):
                    candidate = (cost + effect, (*vector, low + step))
                    grown[above + step] = min(grown[above + step], candidate)
            best = grown
        return [vector for _, vector in best]


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric positive definite system by Gaussian elimination; a few dozen unknowns."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        pivot = rows[i]
        for j in range(i + 1, size):
            row = rows[j]
            factor = row[i] / pivot[i]
            if factor:
                rows[j] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    solution = [0.0] * size
    for i in range(size - 1, -1, -1):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution
