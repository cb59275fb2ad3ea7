"""One table of every word a user may write: help, documentation and refusals all read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kanon_sql.errors import SpecError, did_you_mean
from kanon_sql.measures import OWN
from kanon_sql.privacy import model_words
from kanon_sql.spec.text import shown

OBJECTIVES = tuple(measure.word for measure in OWN)


@dataclass(frozen=True)
class Word:
    """One word.

    Attributes:
        name: the word in kanon.yml and as a keyword argument.
        kind: what its value is.
        about: one line for help and documentation.
        choices: its values, where they are few.
        file_hint: for a word of flags and keyword arguments alone, what a file says instead.
        option: its name on the command line, where that is another.
    """

    name: str
    kind: str
    about: str
    choices: tuple[str, ...] = ()
    file_hint: str | None = None
    option: str | None = None

    @property
    def flag(self) -> str:
        """The word on the command line.

        >>> Word("max_suppression", "rows or %", "").flag
        '--max-suppression'
        """
        return "--" + (self.option or self.name.replace("_", "-"))


def _table(*words: Word) -> Mapping[str, Word]:
    return {word.name: word for word in words}


_LEVELS_HINT = "in a file it stands under the column in quasi_identifiers"

TOP_WORDS: Mapping[str, Word] = _table(
    Word("db", "path", "the DuckDB database file that holds the table"),
    Word("table", "table", "the table or view, [schema.]table; without a database, a CSV or Parquet file"),
    Word("where", "expression", "a row filter, one SQL expression"),
    Word("k", "number", "the smallest class a release may have (5)"),
    Word("k_map", "mapping", "how many rows of a population table a class must have: k and population"),
    Word("max_suppression", "rows or %", "how many rows may be suppressed: 120 or 1% (0)"),
    Word("person", "column", "the column that tells persons apart: k then counts persons, not rows"),
    Word("quasi_identifiers", "columns", "the columns to generalize, each with its hierarchy", option="qi"),
    Word(
        "hierarchies",
        "column=path",
        "the hierarchy of a quasi-identifier: a file, or table:<name>",
        file_hint="in a file a hierarchy stands under quasi_identifiers",
        option="hierarchy",
    ),
    Word(
        "min_level", "column=number", "the lowest level allowed of a quasi-identifier", file_hint=_LEVELS_HINT
    ),
    Word(
        "max_level",
        "column=number",
        "the highest level allowed of a quasi-identifier",
        file_hint=_LEVELS_HINT,
    ),
    Word("level", "column=number", "the one level allowed of a quasi-identifier", file_hint=_LEVELS_HINT),
    Word(
        "weight",
        "column=number",
        "how much a quasi-identifier counts in an objective",
        file_hint=_LEVELS_HINT,
    ),
    Word("sensitive", "columns", "columns released as they are that nobody should learn of a person"),
    Word(
        "models",
        "column=model",
        "a privacy model of a sensitive column, such as diagnosis=distinct_l_diversity: 3",
        file_hint="in a file a model stands under sensitive",
        option="model",
    ),
    Word("insensitive", "columns", "other columns released as they are", option="keep"),
    Word(
        "keep",
        "columns",
        "another word for insensitive",
        file_hint="in a file the word is insensitive",
    ),
    Word("identifiers", "columns", "columns that name a person: never released", option="identifier"),
    Word(
        "search",
        "choice",
        "which vector to look for: one of least height, the preferred of all minimal ones, or the best (minimal)",
        choices=("minimal", "all", "optimal"),
    ),
    Word(
        "objective",
        "choice",
        "the measure that search: optimal makes best",
        choices=tuple(measure.word for measure in OWN),
    ),
    Word(
        "policy",
        "choice",
        "which of several minimal vectors is preferred; a list: the next one where the one before sees no difference",
        choices=("absolute_distance", "relative_distance", "distribution", "suppression"),
    ),
    Word(
        "max_suppression_per",
        "mapping",
        "how many rows of each value of a column may be suppressed: column and share",
    ),
    Word("time_budget", "time", "how long a search may take before it gives the best found: 60s, 5m or 1h"),
    Word(
        "drop_at_top",
        "true or false",
        "leave out of the release what ends at the top of its hierarchy (false)",
    ),
    Word("output", "table", "the release: a table, or a CSV or Parquet file"),
    Word("output_db", "path", "the DuckDB file that the release goes into (that of the table)"),
    Word("as", "choice", "what the release is (table)", choices=("table", "view")),
    Word("partition_by", "columns", "released columns that a Parquet release is partitioned by"),
    Word("overwrite", "true or false", "replace the output if it exists (false)"),
    Word("allow_empty", "true or false", "accept a release without rows (false)"),
    Word("plan", "choice", "how vectors are counted", choices=("frequency", "direct")),
    Word("vector", "column=level", "use this vector, one level per quasi-identifier, instead of a search"),
    Word("timezone", "zone", "where a time with a zone is read that a hierarchy writes without an offset"),
    Word("threads", "number", "how many threads the engine may use"),
    Word("memory_limit", "size", "how much memory the engine may use, such as 6GB"),
    Word("temp_directory", "path", "where the engine spills to when memory is short"),
    Word("redact", "true or false", "quote no value of the data in errors (false)"),
)

QI_WORDS: Mapping[str, Word] = _table(
    Word("hierarchy", "path", "the hierarchy: a CSV or Parquet file, table:<name>, or builtin:<name>"),
    Word(
        "unmapped",
        "choice",
        "what to do with a value the hierarchy lacks (error)",
        choices=("error", "suppress", "top"),
    ),
    Word("header", "true or false", "whether the first line of the file is a header (looked at)"),
    Word("delimiter", "character", "the character between cells (looked at)"),
    Word("add_top", "true or false", "put the level * on top (false)"),
    Word("min_level", "number", "the lowest level allowed (0)"),
    Word("max_level", "number", "the highest level allowed (the top)"),
    Word("level", "number", "the one level allowed"),
    Word("weight", "number", "how much the column counts in an objective (1)"),
)

MAX_SUPPRESSION_PER_WORDS: Mapping[str, Word] = _table(
    Word("column", "column", "the column whose values are counted, as the source holds them"),
    Word("share", "%", "the largest share of a value's rows that may be suppressed"),
)

K_MAP_WORDS: Mapping[str, Word] = _table(
    Word("k", "number", "how many rows of the population a class must have"),
    Word("population", "table", "the population table, which has every quasi-identifier"),
)

# What stands beside the models of a sensitive column; the models' own words are those of the privacy room.
SENSITIVE_WORDS: Mapping[str, Word] = _table(
    Word("nulls", "choice", "whether NULL is a value (value)", choices=("value", "ignore")),
    Word("count", "choice", "what the models count (rows)", choices=("rows", "persons")),
)


def model_column_words() -> Mapping[str, Word]:
    """Every word that may stand under a sensitive column: models, and how they read it."""
    models = {
        name: Word(name, "number" if word.scalar else "mapping", word.about)
        for name, word in model_words().items()
    }
    return {**models, **SENSITIVE_WORDS}


def require_word(
    name: str,
    words: Mapping[str, Word],
    where: str,
    *,
    kind: str = "word",
    in_file: bool = True,
) -> Word:
    """The word of that name, when it exists.

    Raises:
        SpecError: it is unknown (the valid ones are listed), or not for files.
    """
    valid = [word.name for word in words.values() if not (in_file and word.file_hint)]
    word = words.get(name)
    if word is None:
        hint = did_you_mean(name, words)
        listed = f"valid: {', '.join(valid)}"
        raise SpecError(
            f"unknown {kind} {shown(name)}", where=where, mend=f"{hint} {listed}" if hint else listed
        )
    if in_file and word.file_hint:
        raise SpecError(f"{name} is no word of a file", where=where, mend=word.file_hint)
    return word


def require_choice(text: str, word: Word, where: str) -> str:
    """The text itself, when it is one of the word's choices.

    Raises:
        SpecError: it is none of them.
    """
    if text in word.choices:
        return text
    listed = f"valid: {', '.join(word.choices)}"
    hint = did_you_mean(text, word.choices)
    mend = f"{hint} {listed}" if hint else listed
    raise SpecError(f"unknown {word.name} {shown(text)}", where=where, mend=mend)
