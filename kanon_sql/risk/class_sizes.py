"""The sizes of a table's equivalence classes, as a histogram: no key of a class is in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

# The upper bounds of the printed histogram's bins.
_BINS = (1, 2, 4, 9, 19, 49, 99, 499, 999, 9_999, 99_999, 999_999)


@dataclass(frozen=True)
class ClassSizes:
    """How many classes there are of each size.

    Attributes:
        entries: (size, classes, rows), smallest size first. The size counts rows or distinct persons.

    >>> sizes = ClassSizes.of([(1, 2, 2), (5, 1, 5)])
    >>> sizes.classes, sizes.rows, sizes.smallest, sizes.median, sizes.below(5)
    (3, 7, 1, 1, (2, 2))
    """

    entries: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> ClassSizes:
        """From an engine's answer (size, classes, row_count)."""
        return cls(tuple(sorted((size, classes, count) for size, classes, count in rows)))

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return sum(classes for _, classes, _ in self.entries)

    @property
    def rows(self) -> int:
        """How many rows are in them."""
        return sum(rows for _, _, rows in self.entries)

    @property
    def smallest(self) -> int | None:
        """The smallest size: the k that the table reaches; None without a class."""
        return self.entries[0][0] if self.entries else None

    @property
    def largest(self) -> int | None:
        """The largest size; None without a class."""
        return self.entries[-1][0] if self.entries else None

    @property
    def median(self) -> float | int | None:
        """The median size over classes; None without a class."""
        total = self.classes
        if not total:
            return None
        middle = self._size_at((total - 1) // 2), self._size_at(total // 2)
        mean = sum(middle) / 2
        return int(mean) if mean == int(mean) else mean

    def _size_at(self, position: int) -> int:
        seen = 0
        for size, classes, _ in self.entries:
            seen += classes
            if position < seen:
                return size
        raise IndexError(position)

    def below(self, k: int) -> tuple[int, int]:
        """How many classes, and how many rows in them, are smaller than k."""
        small = [(classes, rows) for size, classes, rows in self.entries if size < k]
        return sum(classes for classes, _ in small), sum(rows for _, rows in small)

    def summary(self) -> dict[str, float | int | None]:
        """min, median and max, as results give them."""
        return {"min": self.smallest, "median": self.median, "max": self.largest}

    def histogram(self, k: int | None = None) -> list[dict[str, int | str]]:
        """Bins of sizes with the classes and rows in each, empty bins left out; k starts a bin of its own.

        >>> [bin["sizes"] for bin in ClassSizes.of([(1, 2, 2), (5, 1, 5), (7, 1, 7)]).histogram(6)]
        ['1', '5', '6-9']
        """
        bounds = sorted({*_BINS, *((k - 1,) if k and k > 1 else ())})
        bins: list[dict[str, int | str]] = []
        low = 0
        for high in [*bounds, None]:
            inside = [
                (classes, rows)
                for size, classes, rows in self.entries
                if size > low and (high is None or size <= high)
            ]
            if inside:
                name = (
                    f"{low + 1}+" if high is None else str(high) if high == low + 1 else f"{low + 1}-{high}"
                )
                bins.append(
                    {"sizes": name, "classes": sum(c for c, _ in inside), "rows": sum(r for _, r in inside)}
                )
            low = high or low
        return bins
