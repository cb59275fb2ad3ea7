"""Numbers as people wrote them."""

from __future__ import annotations

from fractions import Fraction


def plain(number: Fraction | int) -> int | float:
    """A number as JSON and SQL write it: whole where it is whole.

    >>> plain(Fraction(3)), plain(Fraction(5, 2))
    (3, 2.5)
    """
    return int(number) if number == int(number) else float(number)


def at_least(number: Fraction) -> int:
    """The smallest whole number not below it.

    >>> at_least(Fraction(5, 2)), at_least(Fraction(3))
    (3, 3)
    """
    return -((-number.numerator) // number.denominator)
