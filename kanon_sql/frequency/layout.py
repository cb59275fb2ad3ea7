"""The key of a frequency set: every quasi-identifier's trie code in the bits of a few BIGINT words.

A value's trie code is a row of digits, one per level below the top: the index of the value (generalized to
that level) among its parent's children. The digits from the top down to level l identify the value at
level l, because a hierarchy is a tree. So generalizing to level l is clearing the digits below l: one bit
mask over the key for a whole distance vector, with no join (DESIGN section 6.1).

Every digit has its own bits; a digit never crosses a word, though the digits of one quasi-identifier may
stand in several words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.compiler.questions import DigitPlace
from kanon_sql.lattice import DistanceVector

# A key of one word leaves 6 bits for the number of the vector in its batch.
BATCH_BITS = 6
ONE_WORD_BITS = 63 - BATCH_BITS
WORD_BITS = 63


@dataclass(frozen=True)
class _Bits:
    word: int
    shift: int
    width: int


@dataclass(frozen=True)
class KeyLayout:
    """Where each digit of each quasi-identifier stands: ``bits[qi][level]``.

    >>> layout = KeyLayout.pack([[3, 1], [0]])  # a 4-valued level 0 under a 2-valued level 1; one value
    >>> layout.word_count, layout.mask((0, 0)), layout.mask((1, 0)), layout.mask((2, 0))
    (1, (7,), (4,), (0,))
    """

    bits: tuple[tuple[_Bits, ...], ...]
    word_count: int

    @classmethod
    def pack(cls, largest: Sequence[Sequence[int]]) -> KeyLayout:
        """Give every digit just the bits that it needs.

        Args:
            largest: per quasi-identifier, per level below the top, the largest digit.
        """
        widths = [[digit.bit_length() for digit in digits] for digits in largest]
        one_word = sum(map(sum, widths)) <= ONE_WORD_BITS
        limit = ONE_WORD_BITS if one_word else WORD_BITS
        word, shift = 0, 0
        bits = []
        for column in widths:
            places = []
            for width in column:
                if shift + width > limit:
                    word, shift = word + 1, 0
                places.append(_Bits(word, shift, width))
                shift += width
            bits.append(tuple(places))
        # A key of 58 to 63 bits would fit one word, but leaves no room there for the batch's numbers.
        return cls(tuple(bits), word + 1 if one_word else max(word + 1, 2))

    @property
    def id_factor(self) -> int:
        """What a vector's number in its batch is multiplied with to stand above a key of one word."""
        return 1 << ONE_WORD_BITS if self.word_count == 1 else 1

    def places(self, column: int) -> list[DigitPlace]:
        """Where the digits of a quasi-identifier stand, for the compiler; digits of no width left out."""
        return [
            DigitPlace(digit, bits.word, 1 << bits.shift)
            for digit, bits in enumerate(self.bits[column])
            if bits.width
        ]

    def words(self) -> list[list[int]]:
        """Per word, the quasi-identifiers that have a digit in it."""
        return [
            [
                column
                for column, places in enumerate(self.bits)
                if any(bits.word == word and bits.width for bits in places)
            ]
            for word in range(self.word_count)
        ]

    def part(self, column: int, level: int) -> tuple[int, ...]:
        """The bits, per word, that tell the values of one quasi-identifier apart at a level.

        >>> KeyLayout.pack([[3, 1], [0]]).part(0, 0), KeyLayout.pack([[3, 1], [0]]).part(0, 1)
        ((7,), (4,))
        """
        parts = [0] * self.word_count
        for bits in self.bits[column][level:]:
            parts[bits.word] |= ((1 << bits.width) - 1) << bits.shift
        return tuple(parts)

    def mask(self, vector: DistanceVector) -> tuple[int, ...]:
        """The masks, one per word, that generalize a key to a vector."""
        masks = [0] * self.word_count
        for level, places in zip(vector, self.bits, strict=True):
            for bits in places[level:]:
                masks[bits.word] |= ((1 << bits.width) - 1) << bits.shift
        return tuple(masks)

    def batch(self, vectors: Sequence[DistanceVector]) -> dict[str, object]:
        """What a statement binds that asks about some vectors: a number for each, and its mask per word.

        >>> KeyLayout.pack([[3]]).batch([(0,), (1,)])["mask_0"]
        [3, 0]
        """
        masks = zip(*(self.mask(vector) for vector in vectors), strict=True)
        return {
            "ids": [i * self.id_factor for i in range(len(vectors))],
            **{f"mask_{word}": list(values) for word, values in enumerate(masks)},
        }
