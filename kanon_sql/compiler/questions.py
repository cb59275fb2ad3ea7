"""The questions that an engine is asked, each as a :class:`Statement`. Pure: nothing runs here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kanon_sql import sqltext
from kanon_sql.compiler.model import (
    GeneralizedColumn,
    Question,
    Relation,
    SensitiveColumn,
    ShareColumn,
    Source,
    Statement,
    TableHierarchy,
)
from kanon_sql.compiler.render import numbered, statement
from kanon_sql.errors import MAX_QUOTED_VALUES
from kanon_sql.hierarchy import Hierarchy
from kanon_sql.lattice import DistanceVector
from kanon_sql.measures import LabelLoss

# Of how many rows an example is taken: what is common among them will do.
EXAMPLE_ROWS = 100_000
# What keeps everything that a type drops when a text is cast to it (DESIGN 5.2).
WIDER_TYPES = {
    "DATE": "TIMESTAMP",
    "TIMESTAMP_S": "TIMESTAMP_NS",
    "TIMESTAMP_MS": "TIMESTAMP_NS",
    "TIMESTAMP": "TIMESTAMP_NS",
}


def _cells(hierarchy: Hierarchy) -> dict[str, object]:
    """The file's cells, column by column, each as one JSON array (one bound text, whatever the size)."""
    columns = zip(*hierarchy.rows, strict=True)
    return {f"level_{i}": json.dumps(column, ensure_ascii=False) for i, column in enumerate(columns)}


def ground_values(column: GeneralizedColumn, hierarchy: Hierarchy) -> Statement:
    """What each ground value of a file becomes in the column's type."""
    ground = json.dumps([row[0] for row in hierarchy.rows], ensure_ascii=False)
    return statement(
        "mapping/ground_values.sql.j2",
        {"ground": ground},
        sql_type=column.sql_type,
    )


def instants(clocks: str, zones: str, ahead: str) -> Statement:
    """Which instants texts mean that give a date and a time; each argument is a JSON array."""
    return statement("mapping/instants.sql.j2", {"clocks": clocks, "zones": zones, "ahead": ahead})


def clashing_ground(column: GeneralizedColumn, hierarchy: Hierarchy) -> Statement:
    """Which ground values of a file are equal in the column's type, with different paths."""
    return statement(
        "mapping/clashing_ground.sql.j2",
        _cells(hierarchy),
        sql_type=column.sql_type,
        height=column.height,
    )


def mapping_from_file(question: Question, column: GeneralizedColumn, hierarchy: Hierarchy) -> Statement:
    """Create the mapping table of a hierarchy that was read from a file."""
    return statement(
        "mapping/from_file.sql.j2",
        _cells(hierarchy),
        question=question,
        column=column,
        null_row=all(row[0] is not None for row in hierarchy.rows),
    )


def mapping_from_table(question: Question, column: GeneralizedColumn, hierarchy: TableHierarchy) -> Statement:
    """Create the mapping table of a hierarchy that is a table."""
    return statement("mapping/from_table.sql.j2", question=question, column=column, hierarchy=hierarchy)


def mapping_flat(question: Question, column: GeneralizedColumn) -> Statement:
    """Create the mapping table of a quasi-identifier without a hierarchy, from the data."""
    return statement("mapping/flat.sql.j2", question=question, column=column)


def unmapped_to_top(question: Question, column: GeneralizedColumn) -> Statement:
    """Give unmapped values a row that is the top at every level."""
    return statement("mapping/unmapped_to_top.sql.j2", question=question, column=column)


def unmapped(question: Question, column: GeneralizedColumn) -> Statement:
    """Which values of a quasi-identifier have no row in its mapping table."""
    return statement(
        # One more than is quoted: the message then says that there are more.
        "mapping/unmapped.sql.j2",
        {"shown": MAX_QUOTED_VALUES + 1},
        question=question,
        column=column,
    )


def top_in_data(question: Question, column: GeneralizedColumn, *, flat: bool) -> Statement:
    """In how many rows the data holds the top label where the hierarchy does not place it."""
    return statement("mapping/top_in_data.sql.j2", question=question, column=column, flat=flat)


def value_present(source: Source, column: str, sql_type: str, cell: str) -> Statement:
    """Whether a text is one of a column's values."""
    return statement(
        "mapping/value_present.sql.j2", {"cell": cell}, source=source, column=column, sql_type=sql_type
    )


# -- a hierarchy that is a table: its relation, and its columns, ground first --------------------------------

_SHOWN: dict[str, object] = {"shown": MAX_QUOTED_VALUES}


def hierarchy_content(relation: Relation, columns: Sequence[str], ground_type: str) -> Statement:
    """How many rows, which top and which content it has."""
    return statement("hierarchy/content.sql.j2", relation=relation, columns=columns, ground_type=ground_type)


def hierarchy_level_sizes(relation: Relation, columns: Sequence[str]) -> Statement:
    """How many labels each level has."""
    return statement("hierarchy/level_sizes.sql.j2", relation=relation, columns=columns)


def hierarchy_repeated_ground(relation: Relation, columns: Sequence[str]) -> Statement:
    """Which ground values stand in more than one row."""
    return statement("hierarchy/repeated_ground.sql.j2", {**_SHOWN}, relation=relation, columns=columns)


def hierarchy_blank(relation: Relation, columns: Sequence[str], level: int) -> Statement:
    """In which rows the cell of a level is blank."""
    return statement("hierarchy/blank.sql.j2", {**_SHOWN}, relation=relation, columns=columns, level=level)


def hierarchy_two_parents(relation: Relation, columns: Sequence[str], level: int) -> Statement:
    """Which labels of a level have more than one parent."""
    return statement(
        "hierarchy/two_parents.sql.j2", {**_SHOWN}, relation=relation, columns=columns, level=level
    )


def hierarchy_tops(relation: Relation, columns: Sequence[str]) -> Statement:
    """Which labels the last column holds."""
    return statement("hierarchy/tops.sql.j2", {**_SHOWN}, relation=relation, columns=columns)


def hierarchy_top_below_top(hierarchy: TableHierarchy) -> Statement:
    """At which levels the top label has another parent than itself."""
    return statement("hierarchy/top_below_top.sql.j2", hierarchy=hierarchy)


def hierarchy_unfit_ground(column: GeneralizedColumn, hierarchy: TableHierarchy) -> Statement:
    """Which ground values the column's type cannot hold."""
    return statement(
        "hierarchy/unfit_ground.sql.j2",
        {**_SHOWN},
        relation=hierarchy.relation,
        columns=hierarchy.columns,
        sql_type=column.sql_type,
    )


def hierarchy_changed_ground(
    column: GeneralizedColumn,
    hierarchy: TableHierarchy,
    back_type: str | None,
    *,
    after: str,
    shown: int,
) -> Statement:
    """Which ground values the column's type changes, after a value."""
    return statement(
        "hierarchy/changed_ground.sql.j2",
        {"after": after, "shown": shown},
        relation=hierarchy.relation,
        columns=hierarchy.columns,
        sql_type=column.sql_type,
        back_type=back_type,
    )


def hierarchy_clashing_ground(column: GeneralizedColumn, hierarchy: TableHierarchy) -> Statement:
    """Which ground values are equal in the column's type, with different paths."""
    return statement(
        "hierarchy/clashing_ground.sql.j2",
        {**_SHOWN},
        relation=hierarchy.relation,
        columns=hierarchy.columns,
        sql_type=column.sql_type,
    )


def hierarchy_unused(question: Question, column: GeneralizedColumn) -> Statement:
    """How many ground values of a mapping table no row of the source holds."""
    return statement("hierarchy/unused.sql.j2", question=question, column=column)


def unlisted_values(source: Source, column: SensitiveColumn, listed: Sequence[str]) -> Statement:
    """Which values of a sensitive column are not in a list."""
    return statement(
        "check/unlisted_values.sql.j2",
        {"listed": json.dumps(list(listed), ensure_ascii=False), "shown": MAX_QUOTED_VALUES + 1},
        source=source,
        column=column,
    )


def absent_values(source: Source, column: SensitiveColumn, listed: Sequence[str]) -> Statement:
    """Which texts of a list are no value of a sensitive column."""
    return statement(
        "check/absent_values.sql.j2",
        {"listed": json.dumps(list(listed), ensure_ascii=False)},
        source=source,
        column=column,
    )


def odd_values(source: Source, column: SensitiveColumn, *, numeric: bool) -> Statement:
    """In how many rows a sensitive column is NULL, or not finite."""
    return statement("check/odd_values.sql.j2", source=source, column=column, numeric=numeric)


def totals(source: Source) -> Statement:
    """How many rows, persons, and rows without a person the source has."""
    return statement("check/totals.sql.j2", source=source)


def class_sizes(
    source: Source, columns: Sequence[str], *, mark: str | None = None, wildcard: bool = False
) -> Statement:
    """How large the equivalence classes of a table are, as it stands.

    Args:
        source: the table.
        columns: the quasi-identifiers.
        mark: rows that hold this text in every quasi-identifier are not a class.
        wildcard: NULL matches every value, instead of being one.
    """
    template = "check/wildcard.sql.j2" if wildcard else "check/table.sql.j2"
    return statement(template, source=source, columns=columns, mark=mark)


def check_violating(question: Question, mark: str | None) -> Statement:
    """How many classes of a table as it stands violate a model."""
    return statement("check/violating_classes.sql.j2", question=question.without_bounds(), mark=mark)


def reached(question: Question, mark: str | None) -> Statement:
    """What a table as it stands reaches of the models of its one sensitive column."""
    return statement("check/reached.sql.j2", question=question, mark=mark)


def values_beyond(question: Question, column: SensitiveColumn) -> Statement:
    """How many values of a sensitive column the reference lacks, and in how many rows."""
    return statement("check/values_beyond.sql.j2", question=question, column=column)


def distinct_values(source: Source, columns: Sequence[str]) -> Statement:
    """How many distinct values some columns have."""
    return statement("check/distinct_values.sql.j2", source=source, columns=columns)


def check_direct(question: Question, vector: DistanceVector) -> Statement:
    """The direct plan's question: outliers and violating classes at one vector."""
    return statement("check/direct.sql.j2", question=question, vector=vector)


def lost(question: Question, vector: DistanceVector, *, strays: bool, least: int, most: int) -> Statement:
    """Where the rows come from that a vector suppresses, per value of each quasi-identifier.

    Args:
        question: of the release.
        vector: the vector.
        strays: whether rows of the source have no row in a mapping table.
        least: no value of fewer rows, or of which fewer are suppressed but not none, is named.
        most: how many values of a quasi-identifier are named at most.
    """
    return statement(
        "check/lost.sql.j2",
        {"least": least, "most": most},
        question=question.without_bounds(),
        vector=vector,
        strays=strays,
    )


def example(question: Question, i: int, level: int, least: int) -> Statement:
    """The commonest ground value of a quasi-identifier that at least ``least`` rows (persons) share."""
    return statement(
        "check/example.sql.j2", question=question, i=i, level=level, least=least, first=EXAMPLE_ROWS
    )


@dataclass(frozen=True)
class DigitPlace:
    """Where one digit of a trie code stands: in which word of the key, multiplied by ``factor``."""

    digit: int
    word: int
    factor: int


def digits(question: Question, column: GeneralizedColumn) -> Statement:
    """Create the digits of a quasi-identifier's trie codes."""
    return statement("frequency/digits.sql.j2", question=question, column=column)


def digit_sizes(column: GeneralizedColumn) -> Statement:
    """How large each digit gets."""
    return statement("frequency/digit_sizes.sql.j2", column=column)


def labels(column: GeneralizedColumn) -> Statement:
    """How many labels each level of a mapping table has."""
    return statement("frequency/labels.sql.j2", column=column)


def codes(question: Question, column: GeneralizedColumn, places: Sequence[DigitPlace]) -> Statement:
    """Put the digits of a quasi-identifier at their places in the key."""
    words = sorted({place.word for place in places})
    return statement("frequency/codes.sql.j2", question=question, column=column, places=places, words=words)


def repeats(question: Question, first: int) -> Statement:
    """How much what the frequency set holds repeats in the first rows of the source."""
    columns = [column.column for column in question.columns]
    columns += [column.column for column in question.sensitive]
    if question.source.person is not None:
        columns.append(question.source.person)
    return statement("frequency/repeats.sql.j2", source=question.source, columns=columns, first=first)


def encode(
    question: Question, frequency: str, words: Sequence[Sequence[int]], *, grouped: bool = True
) -> Statement:
    """Create the encoded frequency set; ``words`` names, per word, the columns that have a part in it. Where it is
    not grouped, there is one entry per row."""
    return statement(
        "frequency/encode.sql.j2",
        question=question,
        source=question.source,
        sensitive=question.sensitive,
        frequency=frequency,
        words=words,
        grouped=grouped,
        stray=None,
    )


def encode_strays(
    question: Question,
    table: str,
    words: Sequence[Sequence[int]],
    at: int,
    kind: Literal["null", "placed"],
) -> Statement:
    """Create the part of the frequency set whose values of a quasi-identifier, by index, its hierarchy does not list:
    NULL, or those that `unmapped: top` placed."""
    return statement(
        "frequency/encode.sql.j2",
        question=question,
        source=replace(question.source, person=None),
        sensitive=(),
        frequency=table,
        words=words,
        grouped=True,
        stray=at,
        stray_kind=kind,
    )


def encode_population(question: Question, table: str, words: Sequence[Sequence[int]]) -> Statement:
    """Create the encoded frequency set of the population; rows whose values have no code are not in it."""
    return statement(
        "frequency/encode.sql.j2",
        question=question,
        source=question.population,
        sensitive=(),
        frequency=table,
        words=words,
        grouped=True,
        stray=None,
    )


def encode_share(
    question: Question, share: ShareColumn, words: Sequence[Sequence[int]], *, grouped: bool = True
) -> Statement:
    """Create the encoded frequency set with the values of a column beside the key, persons aside."""
    return statement(
        "frequency/encode.sql.j2",
        question=question,
        source=replace(question.source, person=None),
        sensitive=(share.column,),
        frequency=share.entries,
        words=words,
        grouped=grouped,
        stray=None,
    )


def value_sizes(share: ShareColumn) -> Statement:
    """How many rows the values of a column have, each number once."""
    return statement("frequency/value_sizes.sql.j2", share=share)


def limits(question: Question, share: ShareColumn, sizes: Sequence[int]) -> Statement:
    """Create the table of how many rows each value of a column may still lose; ``sizes`` are all numbers of rows that
    a value has."""
    return statement(
        "frequency/limits.sql.j2",
        {"sizes": list(sizes), "allowed": [share.allowed(rows) for rows in sizes]},
        question=question,
        share=share,
    )


def values_overdrawn(share: ShareColumn) -> Statement:
    """How many values of a column lose more than they may to unmapped rows alone."""
    return statement("frequency/overdrawn.sql.j2", share=share)


def shares(
    question: Question, frequency: str, population: str | None, word_count: int, id_factor: int
) -> Statement:
    """How many values lose more than they may at each of a batch of vectors, its masks yet to be bound."""
    return statement(
        "frequency/shares.sql.j2",
        question=question,
        frequency=frequency,
        population=population,
        word_names=numbered("key_", range(word_count)),
        dictionaries=[sqltext.quote(column.dictionary) for column in question.sensitive],
        word_count=word_count,
        id_factor=id_factor,
    )


def lost_of_frequencies(
    question: Question,
    vector: DistanceVector,
    frequency: str,
    population: str | None,
    masks: Sequence[int],
    parts: Sequence[Mapping[int, int]],
    *,
    strays: bool,
    least: int,
    most: int,
) -> Statement:
    """The same as :func:`lost`, asked of the frequency set.

    Args:
        masks: what of each word of the key stays at the vector.
        parts: per quasi-identifier, the bits that are its own at its level, in each word in which it has digits.
    """
    return statement(
        "frequency/lost.sql.j2",
        {"least": least, "most": most},
        question=question.without_bounds(),
        vector=vector,
        frequency=frequency,
        population=population,
        word_names=numbered("key_", range(len(masks))),
        dictionaries=[sqltext.quote(column.dictionary) for column in question.sensitive],
        masks=masks,
        parts=[sorted(words.items()) for words in parts],
        strays=strays,
    )


def roll_up(question: Question, frequency: str, hub: str, masks: Sequence[int]) -> Statement:
    """Roll a frequency set up to the vector of some masks."""
    return statement("frequency/hub.sql.j2", question=question, frequency=frequency, hub=hub, masks=masks)


def dictionary(question: Question, column: SensitiveColumn) -> Statement:
    """Number the values of a sensitive column."""
    return statement("frequency/dictionary.sql.j2", question=question, column=column)


def drop(table: str) -> Statement:
    """Drop a scratch table."""
    return statement("engine/drop.sql.j2", table=table)


def frequency_size(frequency: str) -> Statement:
    """How many rows and entries the frequency set holds."""
    return statement("frequency/size.sql.j2", frequency=frequency)


def evaluate(
    question: Question,
    frequency: str,
    population: str | None,
    word_count: int,
    id_factor: int,
    *,
    partitioned: bool = False,
) -> Statement:
    """The frequency plan's question for a batch of vectors, its masks yet to be bound; partitioned, of a part of each
    vector's classes."""
    return statement(
        "frequency/evaluate.sql.j2",
        question=question,
        frequency=frequency,
        population=population,
        word_names=numbered("key_", range(word_count)),
        dictionaries=[sqltext.quote(column.dictionary) for column in question.sensitive],
        word_count=word_count,
        id_factor=id_factor,
        partitioned=partitioned,
    )


# -- measures ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LevelPlace:
    """A level of a quasi-identifier: by index, and what its part of each of the key's words is there."""

    qi: int
    level: int
    height: int
    parts: tuple[int, ...]


def labels_lost(
    question: Question,
    labels: str,
    loss: LabelLoss,
    frequency: str,
    words: Sequence[Sequence[int]],
    levels: Sequence[LevelPlace],
    *,
    own_nulls: Sequence[bool],
    from_source: bool,
    rows: int,
) -> Statement:
    """Create the table of what labels lose.

    Args:
        question: the question.
        labels: the table's name.
        loss: the label loss.
        frequency: the frequency set.
        words: per word of the key, the quasi-identifiers that have a part in it.
        levels: every level of every quasi-identifier.
        own_nulls: per quasi-identifier whether its hierarchy lists NULL.
        from_source: whether the rows of a label are counted in the source.
        rows: the rows of the source.
    """
    masks = {f"mask_{word}": [place.parts[word] for place in levels] for word in range(len(words))}
    return statement(
        "measures/labels.sql.j2",
        {
            "qis": [place.qi for place in levels],
            "levels": [place.level for place in levels],
            "heights": [place.height for place in levels],
            **masks,
            "all_rows": rows,
        },
        question=question,
        labels=labels,
        given=loss,
        frequency=frequency,
        words=words,
        own_nulls=own_nulls,
        from_source=from_source,
    )


def total_lost(labels: str) -> Statement:
    """What all rows of the frequency set lose, per quasi-identifier and level."""
    return statement("measures/totals.sql.j2", labels=labels)


def original_lost(question: Question, loss: LabelLoss) -> Statement:
    """What the original values of each quasi-identifier are taken to have lost."""
    return statement("measures/original.sql.j2", question=question, given=loss)


def lists_null(hierarchy: TableHierarchy) -> Statement:
    """Whether a hierarchy that is a table lists NULL."""
    return statement("hierarchy/lists_null.sql.j2", hierarchy=hierarchy)


def facts(
    question: Question,
    frequency: str,
    population: str | None,
    word_count: int,
    id_factor: int,
    labels: Sequence[str] = (),
    strays: Sequence[str] = (),
) -> Statement:
    """What measures need to know of a batch of vectors, all of its lists yet to be bound."""
    return statement(
        "measures/facts.sql.j2",
        question=question.without_bounds(),
        frequency=frequency,
        population=population,
        word_names=numbered("key_", range(word_count)),
        dictionaries=[sqltext.quote(column.dictionary) for column in question.sensitive],
        word_count=word_count,
        id_factor=id_factor,
        labels=labels,
        strays=strays,
    )


def release(
    question: Question,
    vector: DistanceVector,
    output: Sequence[str] | None,
    *,
    shuffle_key: str | None = None,
    replace: bool = False,
    view: bool = False,
    utc_text: Sequence[str] = (),
) -> Statement:
    """Materialize the release (or, without an output, its query alone), laid out for reading.

    ``utc_text`` names columns of type TIMESTAMP WITH TIME ZONE that are written as text, in UTC.
    """
    return statement(
        "release/release.sql.j2",
        {"shuffle_key": shuffle_key} if shuffle_key is not None else None,
        question=question.without_bounds(),
        vector=vector,
        output=output,
        kind="VIEW" if view else "TABLE",
        replace=replace,
        by_value=view,
        utc_text=utc_text,
    ).pretty()


def export(
    question: Question,
    vector: DistanceVector,
    path: str,
    *,
    shuffle_key: str,
    kind: Literal["parquet", "csv"],
    delimiter: str = ",",
    compression: str = "none",
    metadata: Mapping[str, str] | None = None,
    partition_by: Sequence[str] = (),
    utc_text: Sequence[str] = (),
) -> Statement:
    """Write the release to a file (``utc_text`` as in :func:`release`)."""
    return statement(
        "release/export.sql.j2",
        {"shuffle_key": shuffle_key},
        query=release(question, vector, None, utc_text=utc_text).sql,
        path=path,
        kind=kind,
        delimiter=delimiter,
        compression=compression,
        metadata=metadata or {},
        partition_by=partition_by,
    )


def cut_intervals(source: Source, columns: Sequence[str]) -> Statement:
    """In how many rows Parquet would cut an INTERVAL, per column."""
    return statement("release/cut_intervals.sql.j2", source=source, columns=columns)


def view_mapping(column: GeneralizedColumn, path: Sequence[str], *, replace: bool) -> Statement:
    """Keep a mapping table beside the view that reads it."""
    return statement("release/view_mapping.sql.j2", column=column, path=path, replace=replace)


def foreign_values(question: Question, vector: DistanceVector, output: Relation) -> Statement:
    """How many released values do not belong to their level, per quasi-identifier."""
    return statement("release/foreign_values.sql.j2", question=question, vector=vector, output=output)


def person_classes(question: Question, vector: DistanceVector, output: Relation) -> Statement:
    """How many classes of the release differ from the source's, persons counted; persons kept."""
    return statement(
        "release/person_classes.sql.j2", question=question.without_bounds(), vector=vector, output=output
    )


def violating_classes(question: Question, vector: DistanceVector, output: Relation) -> Statement:
    """How many classes of a release violate a model, persons aside."""
    return statement(
        "release/violating_classes.sql.j2", question=question.without_bounds(), vector=vector, output=output
    )


def shares_lost(question: Question, vector: DistanceVector, share: ShareColumn) -> Statement:
    """The most rows that a value of a column loses at a vector, by how many rows it has, read from the source."""
    return statement(
        "release/shares_lost.sql.j2", question=question.without_bounds(), vector=vector, share=share
    )


def read_release(output: Relation) -> Statement:
    """Read a release whole."""
    return statement("release/read.sql.j2", output=output)


def mapped_rows(question: Question, source: Source | None = None) -> Statement:
    """How many rows of the source (or another, such as the population) have a row in every mapping table."""
    return statement("check/mapped_rows.sql.j2", question=question, source=source or question.source)


def vector_class_sizes(question: Question, vector: DistanceVector) -> Statement:
    """How large the classes of the release would be at a vector, read from the source."""
    return statement("check/vector_class_sizes.sql.j2", question=question.without_bounds(), vector=vector)
