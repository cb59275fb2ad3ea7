"""The golden cases of measures: what labels lose, and what is counted of a batch of vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kanon_sql.compiler import Statement, questions
from kanon_sql.compiler.questions import LevelPlace
from kanon_sql.compiler.render import environment
from kanon_sql.lattice import DistanceVector
from kanon_sql.measures import OWN, LabelLoss
from tests.compiler.builders import (
    AGE,
    FILTERED,
    HEIGHT_0,
    HOSTILE,
    HOSTILE_LEVELS,
    HOSTILE_VECTOR,
    ID_FACTOR,
    LEVELS,
    PERSONS,
    PLAIN,
    SEEN,
    TEMPORARY,
    TOP,
    WEIGHT,
    ZIP,
    question,
)
from tests.compiler.model_cases import HOSTILE_MODELS, K_MAPPED, SURE, TWO_COLUMNS

LOSSES = {each.loss.word: each.loss for each in OWN if each.loss is not None}
NCP, BITS = LOSSES["gcp"], LOSSES["non_uniform_entropy"]

# Levels of age (a digit of two bits and one of one, in one word) and of ZIP (in one word, or in two).
ONE_WORD = (
    *(LevelPlace(0, level, 3, (bits,)) for level, bits in enumerate((0b1111, 0b1100, 0b1000, 0))),
    *(LevelPlace(1, level, 2, (bits,)) for level, bits in enumerate((0b110000, 0b100000, 0))),
)
TWO_WORDS = (
    *(LevelPlace(0, level, 3, (bits, 0)) for level, bits in enumerate((0b1111, 0b1100, 0b1000, 0))),
    *(LevelPlace(1, level, 2, bits) for level, bits in enumerate(((0b110000, 0b111), (0b110000, 0), (0, 0)))),
)
HOSTILE_LEVELS_LOST = tuple(LevelPlace(i, level, 2, (3 >> level,)) for i in range(5) for level in range(3))


def _labels(
    of: questions.Question,
    loss: LabelLoss,
    levels: tuple[LevelPlace, ...] = ONE_WORD,
    *,
    labels: str = "kanon_labels_0",
    frequency: str = "kanon_frequency",
    words: tuple[tuple[int, ...], ...] = ((0, 1),),
    own_nulls: tuple[bool, ...] = (False, False),
    from_source: bool = False,
) -> Callable[[], Statement]:
    return lambda: questions.labels_lost(
        of, labels, loss, frequency, words, levels, own_nulls=own_nulls, from_source=from_source, rows=100
    )


def _macros(loss: LabelLoss) -> Callable[[], Statement]:
    """What the template of a label loss defines, as queries over labels and over original values."""

    def render() -> Statement:
        macros = environment().get_template(loss.template).module
        figures = [f"{macros.loss(loss, kind)} AS {kind}_loss" for kind in ("leaf", "null", "placed")]  # type: ignore[attr-defined]
        text = f"SELECT {', '.join([*figures, f'{macros.most(loss)} AS most'])} FROM labels AS l"  # type: ignore[attr-defined]
        if loss.of_source:
            text += f", (SELECT {macros.original(loss)} AS original FROM originals AS o) AS o"  # type: ignore[attr-defined]
        return Statement(loss.template.removesuffix(".sql.j2"), text)

    return render


def _lost(of: questions.Question, vector: DistanceVector, *, strays: bool = False) -> Callable[[], Statement]:
    return lambda: questions.lost(of, vector, strays=strays, least=5, most=200)


def _lost_of_frequencies(
    of: questions.Question,
    vector: DistanceVector,
    parts: list[dict[int, int]],
    *,
    masks: tuple[int, ...] = (0b111100,),
    strays: bool = False,
    frequency: str = "kanon_frequency",
    population: str | None = None,
) -> Callable[[], Statement]:
    return lambda: questions.lost_of_frequencies(
        of, vector, frequency, population, masks, parts, strays=strays, least=5, most=200
    )


def _suppressing(of: questions.Question) -> questions.Question:
    """The question whose unmapped values are suppressed."""
    return replace(of, columns=tuple(replace(column, unmapped="suppress") for column in of.columns))


_PARTS = [{0: 0b1100}, {0: 0b110000}]

MEASURE_CASES: dict[str, Callable[[], Statement]] = {
    "check/lost/rows": _lost(PLAIN, (1, 0)),
    "check/lost/row_filter": _lost(FILTERED, (1, 0)),
    "check/lost/persons": _lost(PERSONS, (1, 2)),
    "check/lost/strays": _lost(replace(PLAIN, columns=(AGE, replace(ZIP, unmapped="suppress"))), (0, 1), strays=True),
    "check/lost/strays_of_persons": _lost(_suppressing(PERSONS), (1, 2), strays=True),
    "check/lost/zoned": _lost(question(SEEN), (0,)),
    "check/lost/models": _lost(TWO_COLUMNS, (1, 0)),
    "check/lost/k_map": _lost(K_MAPPED, (1, 0)),
    "check/lost/hostile_names": _lost(_suppressing(HOSTILE), HOSTILE_VECTOR, strays=True),
    "frequency/lost/rows": _lost_of_frequencies(PLAIN, (1, 0), _PARTS),
    "frequency/lost/two_words": _lost_of_frequencies(
        PLAIN, (1, 0), [{0: 0b1100}, {0: 0b110000, 1: 0b111}], masks=(0b111100, 0b111)
    ),
    "frequency/lost/height_0": _lost_of_frequencies(HEIGHT_0, (3, 0), [{0: 0}, {}], masks=(0,)),
    "frequency/lost/persons": _lost_of_frequencies(PERSONS, (1, 2), _PARTS),
    "frequency/lost/strays_of_persons": _lost_of_frequencies(_suppressing(PERSONS), (1, 2), _PARTS, strays=True),
    "frequency/lost/models": _lost_of_frequencies(TWO_COLUMNS, (1, 0), _PARTS),
    "frequency/lost/k_map": _lost_of_frequencies(K_MAPPED, (1, 0), _PARTS, population="kanon_population"),
    "frequency/lost/hostile_names": _lost_of_frequencies(
        _suppressing(HOSTILE_MODELS), HOSTILE_VECTOR, [{0: 1 << i} for i in range(len(HOSTILE_VECTOR))],
        masks=(0b11111,), strays=True, frequency='fre"quency', population='popu"lation',
    ),
    "frequency/encode/stray_nulls": lambda: questions.encode_strays(
        replace(PERSONS, source=replace(PERSONS.source, row_filter=FILTERED.source.row_filter)),
        "kanon_strays", [[0, 1]], [c.column for c in PERSONS.columns].index(ZIP.column), "null",
    ),
    "frequency/encode/stray_placed": lambda: questions.encode_strays(
        replace(TOP, columns=(replace(TOP.columns[0], placed=True), *TOP.columns[1:])),
        "kanon_strays", [[0], [0, 1]], 0, "placed",
    ),
    "frequency/encode/stray_zoned": lambda: questions.encode_strays(
        question(replace(SEEN, unmapped="top", placed=True)), "kanon_strays", [[0]], 0, "placed"
    ),
    "frequency/encode/stray_hostile_names": lambda: questions.encode_strays(
        replace(
            HOSTILE,
            columns=(replace(HOSTILE.columns[0], unmapped="top", placed=True), *HOSTILE.columns[1:]),
        ),
        'st"rays', [[0, 1, 2, 3, 4]], 0, "placed",
    ),
    "hierarchy/lists_null/plain": lambda: questions.lists_null(LEVELS),
    "hierarchy/lists_null/hostile_names": lambda: questions.lists_null(HOSTILE_LEVELS),
    "measures/facts/counts_alone": lambda: questions.facts(PLAIN, "kanon_frequency", None, 1, ID_FACTOR),
    "measures/facts/one_word": lambda: questions.facts(
        PLAIN, "kanon_frequency", None, 1, ID_FACTOR, ["kanon_labels_0"]
    ),
    "measures/facts/two_words": lambda: questions.facts(
        PLAIN, "kanon_frequency", None, 2, 1,
        ["kanon_labels_0", "kanon_labels_1"], ["kanon_strays_0", "kanon_strays_1"],
    ),
    "measures/facts/strays": lambda: questions.facts(
        PLAIN, "kanon_frequency", None, 1, ID_FACTOR, ["kanon_labels_0"], ["kanon_strays_0"]
    ),
    "measures/facts/persons": lambda: questions.facts(
        PERSONS, "kanon_frequency", None, 1, ID_FACTOR, ["kanon_labels_0"]
    ),
    "measures/facts/models": lambda: questions.facts(
        TWO_COLUMNS, "kanon_frequency", None, 1, ID_FACTOR, ["kanon_labels_0"], ["kanon_strays_0"]
    ),
    "measures/facts/k_map": lambda: questions.facts(
        K_MAPPED, "kanon_frequency", "kanon_population", 2, 1, ["kanon_labels_0"]
    ),
    "measures/facts/sure": lambda: questions.facts(SURE, "kanon_frequency", None, 1, ID_FACTOR),
    "measures/facts/hostile_names": lambda: questions.facts(
        HOSTILE_MODELS, 'fre"quency', 'popu"lation', 2, 1, ['la"bels'], ['st"rays']
    ),
    "measures/gcp/kinds": _macros(NCP),
    "measures/non_uniform_entropy/kinds": _macros(BITS),
    "measures/labels/gcp": _labels(PLAIN, NCP),
    "measures/labels/own_null_two_words": _labels(
        PLAIN, NCP, TWO_WORDS, words=((0, 1), (1,)), own_nulls=(False, True)
    ),
    "measures/labels/height_0": _labels(HEIGHT_0, NCP, (*ONE_WORD[:4], LevelPlace(1, 0, 0, (0,))), words=((0,),)),
    "measures/labels/entropy": _labels(TEMPORARY, BITS),
    "measures/labels/from_source": _labels(FILTERED, BITS, TWO_WORDS, words=((0, 1), (1,)), from_source=True),
    "measures/labels/placed": _labels(replace(TOP, columns=(replace(TOP.columns[0], placed=True), ZIP)), NCP),
    "measures/labels/hostile_names": _labels(
        replace(HOSTILE, columns=tuple(replace(c, unmapped="top", placed=True) for c in HOSTILE.columns)),
        BITS, HOSTILE_LEVELS_LOST, labels='la"bels', frequency='fre"quency', words=((0, 1, 2, 3, 4),),
        own_nulls=(False,) * 5, from_source=True,
    ),
    "measures/original/plain": lambda: questions.original_lost(question(AGE, WEIGHT), BITS),
    "measures/original/row_filter": lambda: questions.original_lost(FILTERED, BITS),
    "measures/original/hostile_names": lambda: questions.original_lost(HOSTILE, BITS),
    "measures/totals/plain": lambda: questions.total_lost("kanon_labels_0"),
    "measures/totals/hostile_names": lambda: questions.total_lost('la"bels'),
}  # fmt: skip
