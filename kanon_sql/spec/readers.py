"""From a located value to a typed one: each reader takes what it wants and refuses the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.errors import SpecError
from kanon_sql.names import ascii_fold
from kanon_sql.spec.located import Entries, Items, Located, Place, Scalar
from kanon_sql.spec.model import TableName
from kanon_sql.spec.text import check_text, shown, split_names, split_pair, split_pairs, whole
from kanon_sql.spec.words import Word, require_choice, require_word

_FILE_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".parquet")


@dataclass(frozen=True)
class Named:
    """A column name and where it was written."""

    name: str
    place: Place


def read_scalar(node: Located, word: str) -> Scalar:
    """The node itself, when it is one value and not nothing.

    Raises:
        SpecError: it is a list, a mapping or null.
    """
    if not isinstance(node, Scalar):
        raise SpecError(f"{word} takes one value, not {node.describe()}", where=node.place.where)
    if node.value is None:
        raise SpecError(f"{word} has no value", where=node.place.where, mend="give one or leave the word out")
    return node


def read_text(node: Located, word: str) -> str:
    """Text that is not blank.

    Raises:
        SpecError: it is blank, or no text.
    """
    scalar = read_scalar(node, word)
    if scalar.raw is None:
        raise SpecError(f"{word} must be text, not {scalar.describe()}", where=scalar.place.where)
    if not scalar.raw.strip():
        raise SpecError(f"{word} is blank", where=scalar.place.where, mend="give one or leave the word out")
    return check_text(scalar.raw, word, scalar.place.where)


def read_positive(node: Located, word: str) -> int:
    """A whole number, at least 1.

    Raises:
        SpecError: anything else.
    """
    scalar = read_scalar(node, word)
    number = whole(scalar.source())
    if not number:
        mend = "give a whole number, 1 or more"
        raise SpecError(f"malformed {word} {scalar.describe()}", where=scalar.place.where, mend=mend)
    return number


def read_bool(node: Located, word: str) -> bool:
    """True or false, and nothing that merely looks so (``yes``, ``1``).

    Raises:
        SpecError: anything else.
    """
    scalar = read_scalar(node, word)
    if not isinstance(scalar.value, bool):
        what = f"{word} must be true or false, not {scalar.describe()}"
        raise SpecError(what, where=scalar.place.where)
    return scalar.value


def read_choice(node: Located, word: Word) -> str:
    """One of the word's choices.

    Raises:
        SpecError: anything else, or a choice that is not built yet.
    """
    return require_choice(read_text(node, word.name), word, node.place.where)


def read_delimiter(node: Located) -> str:
    """The one character between the cells of a CSV file.

    Raises:
        SpecError: not one character, or one that a CSV file needs for itself.
    """
    scalar = read_scalar(node, "delimiter")
    text = scalar.raw or ""
    if len(text) != 1 or text in '"\r\n\0' or "\ud800" <= text <= "\udfff":
        what = f"delimiter must be one character, not {scalar.describe()}"
        raise SpecError(what, where=scalar.place.where, mend='write for example ";" or "\\t"')
    return text


def read_path(node: Located, word: str) -> Path:
    """A path, relative ones from the folder of the place they stand in.

    Raises:
        SpecError: it is blank, or neither text nor a path.
    """
    scalar = read_scalar(node, word)
    if isinstance(scalar.value, Path):
        return scalar.place.folder / scalar.value
    text = read_text(scalar, word)
    return scalar.place.folder / text


def read_table(node: Located, word: str) -> tuple[TableName, Path | None]:
    """A table name, and the same as a file where it is named like one (or is a path).

    Raises:
        SpecError: it is blank, or neither text nor a path.
    """
    if isinstance(node, Scalar) and isinstance(node.value, TableName):
        return node.value, None
    path = read_path(node, word)
    if isinstance(node, Scalar) and isinstance(node.value, Path):
        return TableName((check_text(str(node.value), word, node.place.where),)), path
    text = read_text(node, word)
    is_file = text.lower().endswith(_FILE_ENDINGS)
    return TableName.parse(text, node.place.where), path if is_file else None


def read_column(node: Located, word: str) -> Named:
    """One column name: text as written, so that ``no`` and ``null`` are names.

    Raises:
        SpecError: it is empty, or no text.
    """
    if not isinstance(node, Scalar):
        what = f"{word} takes column names, not {node.describe()}"
        raise SpecError(what, where=node.place.where)
    if node.raw is None:
        what = f"a column name must be text, not {node.describe()}"
        raise SpecError(what, where=node.place.where)
    if not node.raw:
        raise SpecError(f"an empty column name in {word}", where=node.place.where)
    return Named(check_text(node.raw, "column name", node.place.where), node.place)


def read_columns(node: Located, word: str) -> tuple[Named, ...]:
    """Column names: a list, or comma-separated text; null is none.

    Raises:
        SpecError: anything else, or a name that stands twice.
    """
    if isinstance(node, Items):
        return refuse_twice((read_column(item, word) for item in node.items), word)
    if isinstance(node, Entries):
        raise SpecError(f"{word} is a list of columns, not a mapping", where=node.place.where)
    if node.value is None:
        return ()
    if node.raw is None:
        what = f"{word} must be a list of columns, not {node.describe()}"
        raise SpecError(what, where=node.place.where)
    names = split_names(node.raw, node.place.where)
    return refuse_twice((Named(name, node.place) for name in names), word)


def read_pairs(node: Located, word: str) -> tuple[tuple[Named, Scalar], ...]:
    """Column-value pairs: a mapping, ``age=1,zip=2``, or a list of texts such as ``age=1``.

    Raises:
        SpecError: anything else, or a name that stands twice.
    """
    pairs: list[tuple[Named, Scalar]]
    if isinstance(node, Entries):
        pairs = [(read_column(key, word), read_scalar(value, word)) for key, value in node.entries]
    elif isinstance(node, Items):
        split = [(item, split_pair(read_text(item, word), item.place.where)) for item in node.items]
        pairs = [_pair(item.place, pair) for item, pair in split]
    else:
        pairs = [_pair(node.place, pair) for pair in split_pairs(read_text(node, word), node.place.where)]
    refuse_twice((name for name, _ in pairs), word)
    return tuple(pairs)


def _pair(place: Place, pair: tuple[str, str]) -> tuple[Named, Scalar]:
    return Named(pair[0], place), Scalar(pair[1], pair[1], place)


def mapping_words(node: Located, words: Mapping[str, Word], word: str, example: str) -> dict[str, Located]:
    """The words under a word, every one of which is needed: a mapping, or text such as ``k=5,population=voters``.

    Raises:
        SpecError: a word is missing, unknown or given twice, or anything else; with the example as a mend.
    """
    given: dict[str, Located] = {}
    for key, value in node.entries if isinstance(node, Entries) else _word_pairs(node, word, example):
        name = str(key.source())
        given[require_word(name, words, key.place.where, kind=f"word of {word}").name] = value
    missing = [each for each in words if each not in given]
    if missing:
        raise SpecError(f"{word} needs {' and '.join(missing)}", where=node.place.where, mend=example)
    return given


def _word_pairs(node: Located, word: str, example: str) -> Sequence[tuple[Scalar, Scalar]]:
    try:
        pairs = read_pairs(node, word)
    except SpecError as error:
        raise SpecError(error.what, where=error.where, mend=example) from None
    return [(Scalar(name.name, name.name, name.place), value) for name, value in pairs]


def read_levels(node: Located) -> tuple[tuple[Named, int], ...]:
    """A distance vector: a level per column.

    Raises:
        SpecError: a level that is no whole number from 0, or anything ``read_pairs`` refuses.
    """
    levels = []
    for name, scalar in read_pairs(node, "vector"):
        level = whole(scalar.source())
        if level is None:
            what = f"malformed level {scalar.describe()} of {shown(name.name)}"
            raise SpecError(what, where=scalar.place.where, mend="give a whole number, 0 or more")
        levels.append((name, level))
    return tuple(levels)


def refuse_twice(names: Iterable[Named], word: str) -> tuple[Named, ...]:
    """The names themselves, when no two are the same column.

    Raises:
        SpecError: two are; ASCII case makes no difference.
    """
    seen: dict[str, Named] = {}
    for each in names:
        first = seen.setdefault(ascii_fold(each.name), each)
        if first is not each:
            other = "" if first.name == each.name else f", once as {shown(first.name)}"
            what = f"column {shown(each.name)} stands twice in {word}{other}"
            raise SpecError(what, where=each.place.where, mend="name it once")
    return tuple(seen.values())
