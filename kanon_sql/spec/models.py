"""Reading the privacy models of a sensitive column, by what each model declares of itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from uuid import UUID

from kanon_sql.errors import SpecError, did_you_mean, one_line
from kanon_sql.names import ascii_fold
from kanon_sql.privacy import ModelWord, Parameter, SensitiveModel, model_words
from kanon_sql.spec.hierarchy_files import named_hierarchy, named_table
from kanon_sql.spec.loading import parse_text
from kanon_sql.spec.located import Entries, Items, Located, Place, Scalar
from kanon_sql.spec.model import HierarchyFile, SensitiveSpec
from kanon_sql.spec.readers import (
    Named,
    read_choice,
    read_column,
    read_columns,
    read_positive,
    read_scalar,
    read_text,
    refuse_twice,
)
from kanon_sql.spec.text import check_text, shown, split_pair, whole
from kanon_sql.spec.words import SENSITIVE_WORDS, Word, model_column_words, require_choice, require_word

_LARGEST = 10**18
_NUMBER = re.compile(r"[0-9]{0,18}(?:\.[0-9]{0,18})?")
# What Python calls a value of the data that has one text.
_VALUES = (str, int, float, Decimal, date, time, UUID)


@dataclass(frozen=True)
class SensitiveDraft:
    """A sensitive column as written: its models, and where it stands."""

    column: Named
    models: SensitiveSpec | None


def read_sensitive(node: Located, builtins: Path | None) -> tuple[SensitiveDraft, ...]:
    """Sensitive columns: names, or a mapping of names to lists of models.

    Raises:
        SpecError: a model that is unknown or malformed, or anything else.
    """
    if not isinstance(node, Entries):
        return tuple(SensitiveDraft(column, None) for column in read_columns(node, "sensitive"))
    drafts = []
    for key, models in node.entries:
        column = read_column(key, "sensitive")
        drafts.append(SensitiveDraft(column, _read_models(column.name, _words_of(models), builtins)))
    refuse_twice((draft.column for draft in drafts), "sensitive")
    return tuple(drafts)


def read_given_models(node: Located, builtins: Path | None) -> tuple[SensitiveDraft, ...]:
    """Models given beside a file: a mapping of columns to models, or texts such as
    ``diagnosis=distinct_l_diversity: 3``; several texts may name one column.

    Raises:
        SpecError: a model that is unknown or malformed, or anything else.
    """
    if isinstance(node, Entries):
        return read_sensitive(node, builtins)
    items = node.items if isinstance(node, Items) else (node,)
    words: dict[str, tuple[Named, list[tuple[Scalar, Located]]]] = {}
    for item in items:
        name, text = split_pair(read_text(item, "model"), item.place.where)
        column = Named(name, item.place)
        _, said = words.setdefault(ascii_fold(name), (column, []))
        said += _words_of(_inline(text, item.place))
    return tuple(
        SensitiveDraft(column, _read_models(column.name, said, builtins)) for column, said in words.values()
    )


def _inline(text: str, place: Place) -> Located:
    """A model as a flag writes it: ``word: value`` in the notation of the file."""
    try:
        parsed = parse_text(text, place.where, place.folder, kind="model")
        if not parsed.entries:
            raise SpecError("a model is a word and its value")
        return _replaced(parsed, place)
    except SpecError as error:
        raise SpecError(
            f"malformed model {shown(text)}: {error.what}",
            where=place.where,
            mend="write it as in 'diagnosis=distinct_l_diversity: 3'",
        ) from None


def _replaced(node: Located, place: Place) -> Located:
    """The node, said to stand at the flag and not at a line of a file."""
    if isinstance(node, Scalar):
        return Scalar(node.value, node.raw, place)
    if isinstance(node, Items):
        return Items(tuple(_replaced(item, place) for item in node.items), place)
    entries = ((Scalar(key.value, key.raw, place), _replaced(value, place)) for key, value in node.entries)
    return Entries(tuple(entries), place)


def _words_of(node: Located) -> list[tuple[Scalar, Located]]:
    """The words under a column: a list of one-word mappings, or one mapping; null or an empty list is none."""
    if isinstance(node, Entries):
        return list(node.entries)
    if isinstance(node, Items):
        return [each for item in node.items for each in _words_of(item)]
    if node.value is None:
        return []
    if node.raw is None:
        raise SpecError(f"a model must be a word, not {node.describe()}", where=node.place.where)
    return [(node, Scalar(None, "", node.place))]


def _read_models(
    column: str, words: Sequence[tuple[Scalar, Located]], builtins: Path | None
) -> SensitiveSpec | None:
    models: list[SensitiveModel] = []
    files: dict[str, HierarchyFile] = {}
    beside: dict[str, str] = {}
    for key, value in words:
        if key.raw is None:
            raise SpecError(f"a model must be a word, not {key.describe()}", where=key.place.where)
        word = require_word(key.raw, model_column_words(), key.place.where, kind="model").name
        if word in SENSITIVE_WORDS:
            if word in beside:
                raise _twice(word, column, key.place)
            beside[word] = read_choice(value, SENSITIVE_WORDS[word])
            continue
        model = _read_model(model_words()[word], value, key.place, builtins, files)
        if model in models:
            raise _twice(word, column, key.place)
        models.append(model)
    if not models:
        if beside:
            raise SpecError(
                f"column {shown(column)} has {' and '.join(beside)} and no model",
                where=words[0][0].place.where,
                mend="add a model, or drop the word",
            )
        return None
    return SensitiveSpec(
        column, tuple(models), beside.get("nulls", "value"), beside.get("count", "rows"), files
    )


def _twice(word: str, column: str, place: Place) -> SpecError:
    return SpecError(
        f"{word} of column {shown(column)} is given twice", where=place.where, mend="give it once"
    )


def _read_model(
    word: ModelWord, node: Located, place: Place, builtins: Path | None, files: dict[str, HierarchyFile]
) -> SensitiveModel:
    parameters = {parameter.name: parameter for parameter in word.parameters}
    valid = ", ".join(parameters)
    given: dict[str, object] = {}
    if isinstance(node, Entries):
        alternative = parameters.get(word.alternative or "")
        if alternative is not None and not any(key.raw in parameters for key, _ in node.entries):
            given[alternative.name] = _read_parameter(word, alternative, node, builtins, files)
        else:
            for key, value in node.entries:
                parameter = parameters.get(key.raw or "")
                if parameter is None:
                    hint = did_you_mean(key.raw or "", list(parameters))
                    raise SpecError(
                        f"unknown word of {word.name} {key.describe()}",
                        where=key.place.where,
                        mend=f"{hint} valid: {valid}" if hint else f"valid: {valid}",
                    )
                given[parameter.name] = _read_parameter(word, parameter, value, builtins, files)
    elif isinstance(node, Scalar) and node.value is not None and word.scalar is not None:
        given[word.scalar] = _read_parameter(word, parameters[word.scalar], node, builtins, files)
    missing = [each.name for each in word.parameters if each.required and each.name not in given]
    if missing or not given:
        raise SpecError(
            f"{word.name} needs {' and '.join(missing) or ' or '.join(parameters)}",
            where=place.where,
            mend=f"write it as in {_example(word)}",
        )
    try:
        model = word.make(**given)
        hash(model)
        model.parameters()
    except (ValueError, TypeError, NotImplementedError) as error:
        raise SpecError(
            f"{word.name}: {one_line(str(error)) or 'no such model'}", where=place.where
        ) from None
    return model


def _example(word: ModelWord) -> str:
    if word.scalar is not None:
        most = next(each.most for each in word.parameters if each.name == word.scalar)
        return f"'{word.name}: {'2' if most is None or most >= 2 else '0.5'}'"
    inside = ", ".join(f"{each.name}: …" for each in word.parameters if each.required)
    return f"'{word.name}: {{{inside}}}'"


def _read_parameter(
    word: ModelWord,
    parameter: Parameter,
    node: Located,
    builtins: Path | None,
    files: dict[str, HierarchyFile],
) -> object:
    name = f"{parameter.name} of {word.name}"
    match parameter.kind:
        case "whole":
            return read_positive(node, name)
        case "number":
            return read_number(node, name, parameter)
        case "choice":
            choices = Word(name, "choice", parameter.about, choices=parameter.choices)
            return require_choice(read_text(node, name), choices, node.place.where)
        case "texts":
            if not isinstance(node, Items):
                raise SpecError(
                    f"{name} is a list of values, not {node.describe()}",
                    where=node.place.where,
                    mend="write it as in [low, middle, high]",
                )
            return _values(node.items, name, node.place)
        case "shares":
            if not isinstance(node, Entries):
                raise SpecError(
                    f"{name} is a mapping of values to shares, not {node.describe()}", where=node.place.where
                )
            values = _values([key for key, _ in node.entries], name, node.place)
            return {
                value: read_number(share, f"share of {shown(value)} in {word.name}", parameter)
                for value, (_, share) in zip(values, node.entries, strict=True)
            }
        case "hierarchy":
            scalar = read_scalar(node, name)
            table = named_table(scalar)
            path, builtin = named_hierarchy(scalar, builtins) if table is None else (None, None)
            written = (
                f"table:{table}" if table is not None else f"builtin:{builtin}" if builtin else str(path)
            )
            files[written] = HierarchyFile(path, table, builtin)
            return written


def _values(nodes: Sequence[Located], name: str, place: Place) -> tuple[str, ...]:
    """Values of the data, as text; at least one, and none twice."""
    if not nodes:
        raise SpecError(f"{name} names no value", where=place.where, mend="name them or leave the word out")
    texts: list[str] = []
    for node in nodes:
        text = _as_text(node, name)
        if text in texts:
            raise SpecError(
                f"{name} names {shown(text)} twice", where=node.place.where, mend="name every value once"
            )
        texts.append(text)
    return tuple(texts)


def _as_text(node: Located, name: str) -> str:
    """A value of the data, as text: a number from Python as it prints."""
    if isinstance(node, Scalar) and node.value is None:
        raise SpecError(
            f"{name} cannot name NULL", where=node.place.where, mend="put it in quotes if it is a text"
        )
    scalar = read_scalar(node, name)
    source = scalar.source()
    if not isinstance(source, _VALUES):
        raise SpecError(f"{name} names {scalar.describe()}", where=scalar.place.where, mend="give text")
    if isinstance(source, bool):
        return "true" if source else "false"
    return check_text(str(source), f"value of {name}", scalar.place.where) if source != "" else ""


def read_number(node: Located, name: str, bounds: Parameter) -> Fraction:
    """A number within the bounds of a parameter, exact as written.

    Raises:
        SpecError: anything else.
    """
    scalar = read_scalar(node, name)
    source = scalar.source()
    number: Fraction | None = None
    if isinstance(source, Fraction):
        number = source if source < _LARGEST else None
    elif isinstance(source, (str, Decimal)):
        text = str(source).strip()
        if _NUMBER.fullmatch(text) and any(sign.isdigit() for sign in text):
            number = Fraction(text)
    elif isinstance(source, float) and abs(source) < _LARGEST:
        number = Fraction(repr(source))
    elif not isinstance(source, bool) and (value := whole(source)) is not None:
        number = Fraction(value)
    low, high = bounds.least, bounds.most
    if (
        number is None
        or (low is not None and (number < low or (bounds.above and number == low)))
        or (high is not None and number > high)
    ):
        within = f"{'above' if bounds.above else 'at least'} {low}" if low is not None else "any"
        within += f" and at most {high}" if high is not None else ""
        example = (
            ", such as 0.2 for 20%" if high == 1 and isinstance(source, str) and source.endswith("%") else ""
        )
        raise SpecError(
            f"malformed {name} {scalar.describe()}",
            where=scalar.place.where,
            mend=f"give a number, {within}{example}",
        )
    return number
