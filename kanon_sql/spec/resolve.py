"""The one way to a ``Spec``: a file and what was given beside it, merged and checked."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, cast

from kanon_sql.errors import SpecError, did_you_mean, one_line
from kanon_sql.measures import measures
from kanon_sql.names import ascii_fold
from kanon_sql.spec.choosing import (
    LEVEL_WORDS,
    read_beside,
    read_levels_of,
    read_policy,
    read_suppression_per,
    read_time,
    refuse_odd_choice,
)
from kanon_sql.spec.hierarchy_files import (
    hierarchy_file_for,
    hierarchy_folder,
    is_parquet,
    named_hierarchy,
    named_table,
)
from kanon_sql.spec.loading import load_file
from kanon_sql.spec.located import Entries, Items, Located, Place, Scalar, from_python
from kanon_sql.spec.model import (
    KMapSpec,
    MaxSuppression,
    OutputKind,
    Plan,
    QuasiIdentifierSpec,
    Search,
    SensitiveSpec,
    Spec,
    TableName,
    Unmapped,
)
from kanon_sql.spec.models import SensitiveDraft, read_given_models, read_sensitive
from kanon_sql.spec.readers import (
    Named,
    mapping_words,
    read_bool,
    read_choice,
    read_column,
    read_columns,
    read_delimiter,
    read_levels,
    read_pairs,
    read_path,
    read_positive,
    read_scalar,
    read_table,
    read_text,
    refuse_twice,
)
from kanon_sql.spec.text import shown
from kanon_sql.spec.words import K_MAP_WORDS, QI_WORDS, TOP_WORDS, Word, require_word

Face: TypeAlias = Literal["flag", "python"]
Words: TypeAlias = dict[str, Located]

_FILE_WORDS = ("hierarchy", "header", "delimiter", "add_top")
_CSV_WORDS = ("header", "delimiter")
_K_MAP_EXAMPLE = "write it as in k_map: {k: 5, population: voters}, or as a flag: k=5,population=voters"
_ROLES = {
    "quasi_identifiers": "a quasi-identifier",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
    "identifiers": "an identifier",
    "person": "the person column",
}


@dataclass(frozen=True)
class _Draft:
    """A quasi-identifier as written, before its words are read."""

    column: Named
    words: Words


def resolve_spec(
    *,
    file: Path | None = None,
    given: Mapping[str, object] | None = None,
    face: Face = "python",
    base: Path,
    builtins: Path | None = None,
    only: Container[str] | None = None,
    names_only: bool = False,
) -> Spec:
    """Merge a spec file with flags or keyword arguments, which beat it, and check every word.

    Args:
        file: kanon.yml, or None. A relative path starts at ``base``.
        given: flags or keyword arguments by name; None means not given, an empty list means none.
        face: how errors name what was given: ``--max-suppression`` or ``max_suppression=``.
        base: the folder that relative paths in ``given`` start from. Those in the file start at its folder.
        builtins: the folder of the package's own hierarchies.
        only: the words that are taken from the file, when not all are; the others are passed over.
        names_only: take the quasi-identifiers' names alone, and look for no hierarchy: a check needs none.

    Raises:
        SpecError: an unknown word, one not built yet, a malformed value, a column in two roles, no such file.
        HierarchyError: a hierarchy file that is named but is not there.
    """
    file_words = {} if file is None else _file_words(base / file, str(file))
    if only is not None:
        file_words = {word: value for word, value in file_words.items() if word in only}
    given_words = _given_words(given or {}, face, base)
    source_file = None if file is None else base / file
    return _Resolver(file_words, given_words, source_file, base, builtins, names_only).spec()


def _file_words(path: Path, name: str) -> Words:
    words: Words = {}
    for key, value in load_file(path, name).entries:
        words[require_word(key.raw or "", TOP_WORDS, key.place.where).name] = value
    return words


def _given_words(given: Mapping[str, object], face: Face, base: Path) -> Words:
    words: Words = {}
    for name, value in given.items():
        if value is None:
            continue
        flag = TOP_WORDS.get(name, Word(name, "", "")).flag
        where = flag if face == "flag" else f"{name}="
        word = require_word(name, TOP_WORDS, one_line(where), in_file=False)
        words[word.name] = from_python(value, Place(where, base))
    if "keep" in words:
        keep = words.pop("keep")
        if "insensitive" in words:
            what = "keep is another word for insensitive, and both are given"
            raise SpecError(what, where=keep.place.where, mend="give one of them")
        words["insensitive"] = keep
    return words


class _Resolver:
    """One resolution: the words of both sources, and the readers over them."""

    def __init__(
        self,
        file: Words,
        given: Words,
        source_file: Path | None,
        base: Path,
        builtins: Path | None,
        names_only: bool,
    ) -> None:
        self._file = file
        self._given = given
        self._words = _passed_over(file, given) | given
        self._source_file = source_file
        self._builtins = builtins
        self._names_only = names_only
        self._folder = hierarchy_folder(source_file, base, builtins)

    def spec(self) -> Spec:
        words = self._words
        db = read_path(words["db"], "db") if "db" in words else None
        table, table_file = self._table("table")
        output, output_file = self._table("output")
        table_file = None if db is not None else table_file
        # Into another database the same name is another table; whether it is another database, the run sees.
        if "output" in words and "output_db" not in words and _same(table, table_file, output, output_file):
            what = "the output is the source table itself"
            raise SpecError(what, where=words["output"].place.where, mend="give the release another name")
        drafts, beside = self._drafts()
        search = self._choice("search", Spec.search)
        refuse_odd_choice(words, search)
        sensitive = self._sensitive()
        insensitive, identifiers = self._columns("insensitive"), self._columns("identifiers")
        person = read_column(words["person"], "person") if "person" in words else None
        _refuse_two_roles(
            {
                "quasi_identifiers": [draft.column for draft in drafts],
                "sensitive": [draft.column for draft in sensitive],
                "insensitive": insensitive,
                "identifiers": identifiers,
                "person": () if person is None else (person,),
            }
        )
        return Spec(
            db=db,
            table=table,
            table_file=table_file,
            where=read_text(words["where"], "where") if "where" in words else None,
            k=read_positive(words["k"], "k") if "k" in words else Spec.k,
            max_suppression=self._max_suppression(),
            person=None if person is None else person.name,
            quasi_identifiers=tuple(self._quasi_identifier(draft) for draft in drafts),
            sensitive=_names([draft.column for draft in sensitive]),
            models=self._models(sensitive, person),
            k_map=self._k_map(),
            insensitive=_names(insensitive),
            identifiers=_names(identifiers),
            asked_of_found=() if self._names_only else tuple(map(_asked_of_found, beside)),
            search=cast(Search, search),
            objective=self._objective(),
            policy=read_policy(words["policy"]) if "policy" in words else (),
            max_suppression_per=read_suppression_per(words["max_suppression_per"])
            if "max_suppression_per" in words
            else (),
            time_budget=read_time(words["time_budget"], "time_budget") if "time_budget" in words else None,
            drop_at_top=self._bool("drop_at_top"),
            output=output,
            output_file=output_file,
            output_db=read_path(words["output_db"], "output_db") if "output_db" in words else None,
            output_as=cast(OutputKind, self._choice("as", Spec.output_as)),
            partition_by=_names(self._columns("partition_by")),
            overwrite=self._bool("overwrite"),
            allow_empty=self._bool("allow_empty"),
            plan=cast(Plan, self._choice("plan", Spec.plan)),
            vector=self._vector([draft.column.name for draft in drafts]),
            timezone=read_text(words["timezone"], "timezone") if "timezone" in words else None,
            threads=read_positive(words["threads"], "threads") if "threads" in words else None,
            memory_limit=read_text(words["memory_limit"], "memory_limit")
            if "memory_limit" in words
            else None,
            temp_directory=read_path(words["temp_directory"], "temp_directory")
            if "temp_directory" in words
            else None,
            redact=self._bool("redact"),
            hierarchy_folder=self._folder,
            source_file=self._source_file,
        )

    def _table(self, word: str) -> tuple[TableName | None, Path | None]:
        return read_table(self._words[word], word) if word in self._words else (None, None)

    def _sensitive(self) -> tuple[SensitiveDraft, ...]:
        """The sensitive columns; models that are given beside a file take the place of the file's."""
        words = self._words
        drafts = read_sensitive(words["sensitive"], self._builtins) if "sensitive" in words else ()
        if "models" not in words:
            return drafts
        given = {
            ascii_fold(each.column.name): each for each in read_given_models(words["models"], self._builtins)
        }
        over = [_with_models(draft, given.pop(ascii_fold(draft.column.name), None)) for draft in drafts]
        return (*over, *given.values())

    def _models(self, drafts: Sequence[SensitiveDraft], person: Named | None) -> tuple[SensitiveSpec, ...]:
        for draft in drafts:
            if draft.models is not None and draft.models.count == "persons" and person is None:
                raise SpecError(
                    f"persons of column {shown(draft.column.name)} cannot be counted: no person column is named",
                    where=draft.column.place.where,
                    mend="name it with person, or leave `count: persons` out",
                )
        return tuple(draft.models for draft in drafts if draft.models is not None)

    def _k_map(self) -> KMapSpec | None:
        if "k_map" not in self._words:
            return None
        words = mapping_words(self._words["k_map"], K_MAP_WORDS, "k_map", _K_MAP_EXAMPLE)
        population, _ = read_table(words["population"], "population of k_map")
        assert population is not None, "what is no table name is refused"
        return KMapSpec(read_positive(words["k"], "k of k_map"), population)

    def _columns(self, word: str) -> tuple[Named, ...]:
        return read_columns(self._words[word], word) if word in self._words else ()

    def _bool(self, word: str) -> bool:
        return word in self._words and read_bool(self._words[word], word)

    def _choice(self, word: str, default: str) -> str:
        return read_choice(self._words[word], TOP_WORDS[word]) if word in self._words else default

    def _objective(self) -> str | None:
        if "objective" not in self._words:
            return None
        # Other packages bring measures, too.
        word = replace(TOP_WORDS["objective"], choices=tuple(measures()))
        return read_choice(self._words["objective"], word)

    def _max_suppression(self) -> MaxSuppression:
        if "max_suppression" not in self._words:
            return MaxSuppression(rows=0)
        scalar = read_scalar(self._words["max_suppression"], "max_suppression")
        return MaxSuppression.parse(scalar.source(), scalar.place.where)

    def _drafts(self) -> tuple[tuple[_Draft, ...], tuple[_Draft, ...]]:
        """The quasi-identifiers that are named; and, where none is, what is asked of those to be found."""
        written = _read_drafts(self._file["quasi_identifiers"]) if "quasi_identifiers" in self._file else ()
        drafts = {ascii_fold(draft.column.name): draft for draft in written}
        explicit = "quasi_identifiers" in self._given
        own: dict[str, Words] = {}
        if explicit:
            asked = _read_drafts(self._given["quasi_identifiers"])
            drafts = {ascii_fold(draft.column.name): _over(draft, drafts) for draft in asked}
            own = {ascii_fold(draft.column.name): draft.words for draft in asked}
        hierarchies = self._given.get("hierarchies")
        for column, path in () if hierarchies is None else read_pairs(hierarchies, "hierarchies"):
            key, where = ascii_fold(column.name), column.place.where
            if explicit and key not in drafts:
                what = f"column {shown(column.name)} is no quasi-identifier"
                hint = did_you_mean(column.name, [each.column.name for each in drafts.values()])
                mend = hint or "add it to quasi_identifiers or drop its hierarchy"
                raise SpecError(what, where=where, mend=mend)
            if "hierarchy" in own.get(key, ()):
                what = f"two hierarchies for column {shown(column.name)}"
                raise SpecError(what, where=where, mend="name one of them")
            name = drafts[key].column if key in drafts else column
            drafts[key] = _over(_Draft(name, {"hierarchy": path}), drafts)
        beside = self._beside(own)
        if not drafts:
            return (), tuple(beside.values())
        for key, draft in beside.items():
            if key not in drafts:
                word, node = next(iter(draft.words.items()))
                what = f"column {shown(draft.column.name)} of {word} is no quasi-identifier"
                hint = did_you_mean(draft.column.name, [each.column.name for each in drafts.values()])
                raise SpecError(
                    what, where=node.place.where, mend=hint or "name it among them, or drop the word"
                )
            drafts[key] = _over(_Draft(drafts[key].column, draft.words), drafts)
        return tuple(drafts.values()), ()

    def _beside(self, own: Mapping[str, Words]) -> dict[str, _Draft]:
        """The levels and weights that are given beside the quasi-identifiers, by column."""
        found: dict[str, _Draft] = {}
        for word, rivals in LEVEL_WORDS.items():
            if word not in self._given:
                continue
            for column, value in read_beside(self._given[word], word):
                key = ascii_fold(column.name)
                twice = next((each for each in (word, *rivals) if each in own.get(key, ())), None)
                if twice is not None:
                    what = f"{twice} of column {shown(column.name)} is given in quasi_identifiers already"
                    raise SpecError(what, where=column.place.where, mend="give it once")
                found.setdefault(key, _Draft(column, {})).words[word] = value
        return found

    def _quasi_identifier(self, draft: _Draft) -> QuasiIdentifierSpec:
        words, column = draft.words, draft.column.name
        if self._names_only:
            return QuasiIdentifierSpec(column)
        path, builtin, found, table = None, None, False, None
        if "hierarchy" in words:
            node = read_scalar(words["hierarchy"], "hierarchy")
            table = named_table(node)
            if table is None:
                path, builtin = named_hierarchy(node, self._builtins)
        elif self._folder is not None:
            path = hierarchy_file_for(self._folder, column)
            found = path is not None
        for word in _FILE_WORDS:
            if word in words and path is None and table is None:
                what = f"{word} of column {shown(column)} needs a hierarchy file, and there is none"
                raise SpecError(what, where=words[word].place.where, mend="add hierarchy: or drop the word")
            if word in words and word in _CSV_WORDS and (path is None or is_parquet(path)):
                kind = "a table" if path is None else "a Parquet file"
                what = f"{word} is for a CSV file, and the hierarchy of column {shown(column)} is {kind}"
                raise SpecError(what, where=words[word].place.where, mend="drop the word")
        unmapped = read_choice(words["unmapped"], QI_WORDS["unmapped"]) if "unmapped" in words else "error"
        lowest, highest, level, weight = read_levels_of(words, column)
        return QuasiIdentifierSpec(
            column=column,
            hierarchy=path,
            unmapped=cast(Unmapped, unmapped),
            header=read_bool(words["header"], "header") if "header" in words else None,
            delimiter=read_delimiter(words["delimiter"]) if "delimiter" in words else None,
            add_top="add_top" in words and read_bool(words["add_top"], "add_top"),
            builtin=builtin,
            found=found,
            hierarchy_table=table,
            min_level=lowest,
            max_level=highest,
            level=level,
            weight=weight,
        )

    def _vector(self, columns: Sequence[str]) -> Mapping[str, int] | None:
        if "vector" not in self._words:
            return None
        node = self._words["vector"]
        levels = {ascii_fold(name.name): (name, level) for name, level in read_levels(node)}
        if not columns:
            return {name.name: level for name, level in levels.values()}
        spelled = {ascii_fold(column): column for column in columns}
        for key, (name, _) in levels.items():
            if key not in spelled:
                what = f"column {shown(name.name)} of the vector is no quasi-identifier"
                mend = did_you_mean(name.name, columns)
                raise SpecError(what, where=name.place.where, mend=mend)
        for key, column in spelled.items():
            if key not in levels:
                what = f"the vector has no level for {shown(column)}"
                mend = "give one level per quasi-identifier"
                raise SpecError(what, where=node.place.where, mend=mend)
        return {column: levels[key][1] for key, column in spelled.items()}


def _passed_over(file: Words, given: Words) -> Words:
    """The words of the file but for what belongs to another search than the one that is given."""
    if "search" not in given:
        return file
    search = given["search"]
    optimal = isinstance(search, Scalar) and search.value == "optimal"
    return {word: value for word, value in file.items() if word != ("policy" if optimal else "objective")}


def _asked_of_found(draft: _Draft) -> QuasiIdentifierSpec:
    lowest, highest, level, weight = read_levels_of(draft.words, draft.column.name)
    return QuasiIdentifierSpec(
        draft.column.name, min_level=lowest, max_level=highest, level=level, weight=weight
    )


def _with_models(draft: SensitiveDraft, given: SensitiveDraft | None) -> SensitiveDraft:
    """The column with the models that were given for it, under the name that it has already."""
    if given is None:
        return draft
    models = None if given.models is None else replace(given.models, column=draft.column.name)
    return replace(draft, models=models)


def _read_drafts(node: Located) -> tuple[_Draft, ...]:
    if not isinstance(node, Entries):
        return tuple(_Draft(column, {}) for column in read_columns(node, "quasi_identifiers"))
    drafts = [_Draft(read_column(key, "quasi_identifiers"), _qi_words(value)) for key, value in node.entries]
    refuse_twice((draft.column for draft in drafts), "quasi_identifiers")
    return tuple(drafts)


def _qi_words(node: Located) -> Words:
    """The long form of a quasi-identifier; the short one, a path, is its hierarchy; null leaves all open."""
    if isinstance(node, Items):
        what = "a quasi-identifier takes a hierarchy file or a mapping, not a list"
        raise SpecError(what, where=node.place.where)
    if isinstance(node, Scalar):
        return {} if node.value is None else {"hierarchy": node}
    words: Words = {}
    for key, value in node.entries:
        if key.raw is None:
            raise SpecError(f"a word must be text, not {key.describe()}", where=key.place.where)
        word = require_word(key.raw, QI_WORDS, key.place.where, kind="word of a quasi-identifier").name
        left_open = isinstance(value, Scalar) and value.value is None and word in _FILE_WORDS
        if not left_open:
            words[word] = value
    return words


def _over(draft: _Draft, below: Mapping[str, _Draft]) -> _Draft:
    """The draft over one of the same column: its words win, another file drops what describes the old, and a level
    drops what it takes the place of."""
    under = below.get(ascii_fold(draft.column.name))
    if under is None:
        return draft
    gone = {rival for word in draft.words for rival in LEVEL_WORDS.get(word, ())}
    gone.update(_FILE_WORDS if "hierarchy" in draft.words else ())
    kept = {word: value for word, value in under.words.items() if word not in gone}
    return _Draft(draft.column, kept | draft.words)


def _refuse_two_roles(roles: Mapping[str, Sequence[Named]]) -> None:
    seen: dict[str, tuple[str, Named]] = {}
    for role, names in roles.items():
        for each in names:
            other, first = seen.setdefault(ascii_fold(each.name), (role, each))
            if first is each:
                continue
            mend = "give it one role"
            if role == "person":
                mend = f"drop it from {other}: the person column is never released as it is"
            what = (
                f"column {shown(each.name)} is both {_ROLES[other]} ({first.place.where}) and {_ROLES[role]}"
            )
            raise SpecError(what, where=each.place.where, mend=mend)


def _same(
    table: TableName | None, table_file: Path | None, output: TableName | None, output_file: Path | None
) -> bool:
    if table is None or output is None:
        return False
    if table_file is not None and output_file is not None:
        return table_file == output_file
    return [ascii_fold(part) for part in table.parts] == [ascii_fold(part) for part in output.parts]


def _names(columns: Sequence[Named]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def read_vector(value: object, where: str) -> dict[str, int]:
    """A vector given as ``age=1,zip=2``, or as a mapping: the level per name, as it is written.

    Raises:
        SpecError: it is neither, or a level is no whole number.
    """
    return {name.name: level for name, level in read_levels(from_python(value, Place(where, Path.cwd())))}
