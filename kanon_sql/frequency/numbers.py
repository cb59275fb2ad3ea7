"""Whether a number that was written as text is still the same once a type holds it (DESIGN 5.2)."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

_EXACT = {
    "TINYINT", "SMALLINT", "INT", "BIGINT", "INT128",
    "UTINYINT", "USMALLINT", "UINT", "UBIGINT", "UINT128",
    "DECIMAL",
}  # fmt: skip


def is_number(sql_type: str) -> bool:
    """Whether a type holds exact numbers.

    >>> is_number("DECIMAL(5, 2)"), is_number("DOUBLE")
    (True, False)
    """
    return sql_type.split("(")[0] in _EXACT


def same_number(cell: str, cast_text: str) -> bool:
    """Whether a text and the text of what it was cast to are the same number.

    >>> same_number("007", "7"), same_number("34.5", "35"), same_number("0x10", "16")
    (True, False, True)
    """
    try:
        return Decimal(cell.replace("_", "").strip()) == Decimal(cast_text)
    except InvalidOperation:
        try:
            return int(cell, 0) == int(cast_text)
        except ValueError:
            return False
