"""The words that say which vector is wanted: levels and weights, objective and policy, limits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from kanon_sql.errors import SpecError
from kanon_sql.privacy import Parameter
from kanon_sql.spec.located import Items, Located, Scalar
from kanon_sql.spec.model import MaxSuppression, SuppressionPer
from kanon_sql.spec.models import read_number
from kanon_sql.spec.readers import (
    Named,
    mapping_words,
    read_column,
    read_pairs,
    read_scalar,
    read_text,
    refuse_twice,
)
from kanon_sql.spec.text import shown, split_names, whole
from kanon_sql.spec.words import MAX_SUPPRESSION_PER_WORDS, TOP_WORDS, require_choice

# The words of a quasi-identifier that may be given beside it too, and those that each takes the place of.
LEVEL_WORDS: Mapping[str, tuple[str, ...]] = {
    "min_level": ("level",),
    "max_level": ("level",),
    "level": ("min_level", "max_level"),
    "weight": (),
}
_WEIGHT = Parameter("weight", "number", "how much the column counts", least=0, above=True)
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([smh])")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_PER_EXAMPLE = (
    "write it as in max_suppression_per: {column: region, share: 5%}, or as a flag: column=region,share=5%"
)


def read_levels_of(
    words: Mapping[str, Located], column: str
) -> tuple[int | None, int | None, int | None, Fraction]:
    """min_level, max_level, level and weight of a quasi-identifier, as far as they are given.

    Raises:
        SpecError: a malformed number, ``level`` beside the other two, or min_level above max_level.
    """
    lowest, highest, fixed = (
        read_level(read_scalar(words[word], word), word, column) if word in words else None
        for word in ("min_level", "max_level", "level")
    )
    if fixed is not None:
        for word in LEVEL_WORDS["level"]:
            if word in words:
                raise SpecError(
                    f"level of column {shown(column)} fixes it, and {word} is given too",
                    where=words[word].place.where,
                    mend="give level, or min_level and max_level",
                )
    if lowest is not None and highest is not None and lowest > highest:
        raise SpecError(
            f"min_level {lowest} of column {shown(column)} is above its max_level {highest}",
            where=words["min_level"].place.where,
            mend="exchange them, or leave one of them out",
        )
    weight = Fraction(1)
    if "weight" in words:
        weight = read_number(words["weight"], f"weight of column {shown(column)}", _WEIGHT)
    return lowest, highest, fixed, weight


def read_level(scalar: Scalar, word: str, column: str) -> int:
    """A level: a whole number, 0 or more.

    Raises:
        SpecError: anything else.
    """
    level = whole(scalar.source())
    if level is None:
        what = f"malformed {word} {scalar.describe()} of {shown(column)}"
        raise SpecError(what, where=scalar.place.where, mend="give a whole number, 0 or more")
    return level


def read_policy(node: Located) -> tuple[str, ...]:
    """Policies, the first one first: a word, several separated by commas, or a list.

    Raises:
        SpecError: an unknown word, one that stands twice, or none.
    """
    if isinstance(node, Items):
        written = [(read_text(item, "policy"), item.place.where) for item in node.items]
    else:
        text = read_text(node, "policy")
        written = [(word, node.place.where) for word in split_names(text, node.place.where)]
    if not written:
        raise SpecError("policy has no value", where=node.place.where, mend="give one or leave the word out")
    policies: list[str] = []
    for word, where in written:
        if require_choice(word, TOP_WORDS["policy"], where) in policies:
            raise SpecError(f"{word} stands twice in policy", where=where, mend="name it once")
        policies.append(word)
    return tuple(policies)


def read_suppression_per(node: Located) -> tuple[SuppressionPer, ...]:
    """How much of each value of a column may be suppressed: one mapping, its text, or a list of them.

    Raises:
        SpecError: a word is missing or unknown, a share that is none, or a column that stands twice.
    """
    items = node.items if isinstance(node, Items) else (node,)
    read: list[tuple[Named, Fraction]] = []
    for item in items:
        words = mapping_words(item, MAX_SUPPRESSION_PER_WORDS, "max_suppression_per", _PER_EXAMPLE)
        column = read_column(words["column"], "column of max_suppression_per")
        read.append((column, _read_share(words["share"])))
    refuse_twice((column for column, _ in read), "max_suppression_per")
    return tuple(SuppressionPer(column.name, share) for column, share in read)


def _read_share(node: Located) -> Fraction:
    scalar = read_scalar(node, "share of max_suppression_per")
    mend = "write a share of the rows such as 5%"
    try:
        share = MaxSuppression.parse(scalar.source(), scalar.place.where).share
    except SpecError as error:
        share = None
        if error.mend is not None and error.mend.endswith("or a whole number of rows"):
            mend = error.mend.removesuffix(", or a whole number of rows")
    if share is None:
        what = f"malformed share of max_suppression_per {scalar.describe()}"
        raise SpecError(what, where=scalar.place.where, mend=mend)
    return share


def read_time(node: Located, word: str) -> Fraction:
    """A length of time in seconds, written with its unit.

    Raises:
        SpecError: anything else, or none at all.
    """
    scalar = read_scalar(node, word)
    written = _TIME.fullmatch(scalar.raw.strip()) if scalar.raw is not None else None
    seconds = Fraction(written[1]) * _SECONDS[written[2]] if written else Fraction(0)
    if not seconds:
        raise SpecError(
            f"malformed {word} {scalar.describe()}",
            where=scalar.place.where,
            mend="write it with its unit, such as 60s, 5m or 1h",
        )
    return seconds


def refuse_odd_choice(words: Mapping[str, Located], search: str) -> None:
    """Words that belong to another search than the one that is asked for.

    Raises:
        SpecError: an objective is missing, or it or a policy has no use.
    """
    if search == "optimal":
        if "objective" not in words:
            raise SpecError(
                "search: optimal needs an objective",
                where=words["search"].place.where,
                mend=f"name the measure to make best: {', '.join(TOP_WORDS['objective'].choices)}",
            )
        if "policy" in words:
            raise SpecError(
                "policy is not for search: optimal, where the objective decides",
                where=words["policy"].place.where,
                mend="drop it, or say search: minimal or search: all",
            )
    elif "objective" in words:
        raise SpecError(
            f"objective is for search: optimal, and the search is {search}",
            where=words["objective"].place.where,
            mend="say search: optimal, or drop it",
        )


def read_beside(node: Located, word: str) -> Sequence[tuple[Named, Scalar]]:
    """A word of quasi-identifiers that is given beside them: a mapping, or ``age=1,zip=2``, or several such texts.

    Raises:
        SpecError: anything else, or a column that stands twice.
    """
    if not isinstance(node, Items):
        return read_pairs(node, word)
    pairs = [pair for item in node.items for pair in read_pairs(item, word)]
    refuse_twice((name for name, _ in pairs), word)
    return pairs
