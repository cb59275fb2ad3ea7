"""A guess at how many rows a vector suppresses: it orders the search's questions and proves nothing.

log(1 + S) is taken as additive in the levels: an intercept, and for every step of every quasi-identifier how
much it lowers the sum. The steps are fitted to what has been counted so far by weighted ridge regression
(towards equal steps from ⊥ to ⊤), counts near MaxSup weighing most, since that is where the guess matters.
"""

from __future__ import annotations

from math import erf, inf, log1p, sqrt

from kanon_sql.lattice import DistanceVector, Lattice

_RIDGE = 0.05
_LEAST_SPREAD = 0.25


class SuppressionModel:
    """Predicts log(1 + suppressed rows) of a vector.

    Args:
        lattice: the lattice.
        max_suppressed: MaxSup; a vector fails when it suppresses more.
        rows: about how many rows ⊥ suppresses.
    """

    def __init__(self, lattice: Lattice, max_suppressed: int, rows: int) -> None:
        self.lattice = lattice
        # A vector fails from MaxSup + 1 on; half way between the two the guess is even.
        self.threshold = (log1p(max_suppressed) + log1p(max_suppressed + 1)) / 2
        self._first = [1]
        for top in lattice.heights:
            self._first.append(self._first[-1] + top)
        self._size = self._first[-1]
        start = log1p(rows)
        step = -start / max(lattice.height, 1)
        self._weights = [start] + [step] * (self._size - 1)
        self._prior = list(self._weights)
        self._moments = [[_RIDGE * (i == j) for j in range(self._size)] for i in range(self._size)]
        self._targets = [_RIDGE * weight for weight in self._prior]
        self._seen: list[tuple[list[int], float, float]] = []
        self.spread = 1.0
        self._tabulate()

    def _active(self, vector: DistanceVector) -> list[int]:
        """The features of a vector: the intercept and every step that it has taken."""
        active = [0]
        for first, level in zip(self._first, vector, strict=False):
            active.extend(range(first, first + level))
        return active

    def observe(self, vector: DistanceVector, suppressed: int) -> None:
        """Take in a count."""
        value = log1p(suppressed)
        weight = 1 / (0.25 + (value - self.threshold) ** 2)
        active = self._active(vector)
        for i in active:
            row = self._moments[i]
            for j in active:
                row[j] += weight
            self._targets[i] += weight * value
        self._seen.append((active, value, weight))

    def fit(self) -> None:
        """Fit the steps to what has been observed."""
        self._weights = _solve(self._moments, self._targets)
        total = sum(weight for _, _, weight in self._seen)
        if total:
            error = sum(
                weight * (value - sum(self._weights[i] for i in active)) ** 2
                for active, value, weight in self._seen
            )
            self.spread = max(sqrt(error / total), _LEAST_SPREAD)
        self._tabulate()

    def _tabulate(self) -> None:
        self.effects = []
        for first, top in zip(self._first, self.lattice.heights, strict=False):
            effects = [0.0]
            for step in range(top):
                # Suppression never rises with the vector, whatever the fit says.
                effects.append(effects[-1] + min(self._weights[first + step], 0.0))
            self.effects.append(effects)

    def predict(self, vector: DistanceVector) -> float:
        """The guess at log(1 + S)."""
        return self._weights[0] + sum(effects[v] for effects, v in zip(self.effects, vector, strict=True))

    def chance_to_fail(self, predicted: float) -> float:
        """How likely a vector of this prediction suppresses more than MaxSup."""
        return 0.5 * (1 + erf((predicted - self.threshold) / (self.spread * sqrt(2))))

    def best_per_height(self) -> list[DistanceVector]:
        """Per height the vector that is guessed to suppress fewest: a knapsack over the additive steps."""
        best: list[tuple[float, DistanceVector]] = [(0.0, ())]
        for effects in self.effects:
            grown: list[tuple[float, DistanceVector]] = [(inf, ())] * (len(best) + len(effects) - 1)
            for height, (cost, vector) in enumerate(best):
                for level, effect in enumerate(effects):
                    candidate = (cost + effect, (*vector, level))
                    grown[height + level] = min(grown[height + level], candidate)
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
