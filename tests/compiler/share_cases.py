"""The golden cases of what the values of a column may lose (`max_suppression_per`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kanon_sql.compiler import Question, Statement, questions
from tests.compiler.builders import (
    FILTERED,
    HOSTILE,
    HOSTILE_VECTOR,
    ID_FACTOR,
    PERSONS,
    PLAIN,
    TEMPORARY,
    ZIP,
    sharing,
)
from tests.compiler.model_cases import HOSTILE_MODELS, K_MAPPED, SURE, TWO_COLUMNS

REGION = ("region", "VARCHAR")
WEIGHT = ("weight", "DOUBLE")
ODD = ('re"gion', "VARCHAR")
VECTOR = (1, 2)


def _first(question: Question, *columns: tuple[str, str]) -> tuple[Question, questions.ShareColumn]:
    asked = sharing(question, *columns)
    return asked, asked.shares[0]


def _shares(question: Question, words: int, population: str | None = None) -> Callable[[], Statement]:
    return lambda: questions.shares(
        question, "kanon_frequency", population, words, ID_FACTOR if words == 1 else 1
    )


SHARE_CASES: dict[str, Callable[[], Statement]] = {
    "frequency/dictionary/share": lambda: questions.dictionary(
        PLAIN, sharing(PLAIN, WEIGHT).shares[0].column
    ),
    "frequency/encode/share": lambda: questions.encode_share(*_first(FILTERED, REGION), [[0, 1]]),
    "frequency/encode/share_of_a_quasi_identifier_persons": lambda: questions.encode_share(
        *_first(PERSONS, (ZIP.column, "VARCHAR")), [[0], [0, 1]]
    ),
    "frequency/encode/share_of_rows": lambda: questions.encode_share(
        *_first(PLAIN, REGION), [[0, 1]], grouped=False
    ),
    "frequency/encode/share_hostile_names": lambda: questions.encode_share(
        *_first(HOSTILE, ODD), [[0, 1, 2, 3, 4]]
    ),
    "frequency/value_sizes/plain": lambda: questions.value_sizes(sharing(PLAIN, REGION).shares[0]),
    "frequency/value_sizes/hostile_names": lambda: questions.value_sizes(sharing(HOSTILE, ODD).shares[0]),
    "frequency/limits/plain": lambda: questions.limits(*_first(PLAIN, REGION), [1, 20, 100]),
    "frequency/limits/temporary": lambda: questions.limits(*_first(TEMPORARY, REGION), []),
    "frequency/limits/hostile_names": lambda: questions.limits(*_first(HOSTILE, ODD), [7]),
    "frequency/overdrawn/plain": lambda: questions.values_overdrawn(sharing(PLAIN, REGION).shares[0]),
    "frequency/overdrawn/hostile_names": lambda: questions.values_overdrawn(sharing(HOSTILE, ODD).shares[0]),
    "frequency/shares/one_word": _shares(sharing(PLAIN, REGION), 1),
    "frequency/shares/two_words_two_columns": _shares(sharing(PLAIN, REGION, WEIGHT), 2),
    "frequency/shares/persons": _shares(sharing(PERSONS, REGION), 1),
    "frequency/shares/sure": _shares(sharing(SURE, REGION), 1),
    "frequency/shares/models": _shares(sharing(TWO_COLUMNS, REGION, WEIGHT), 2),
    "frequency/shares/k_map": _shares(sharing(K_MAPPED, REGION), 2, "kanon_population"),
    "frequency/shares/hostile_names": _shares(sharing(HOSTILE_MODELS, ODD, REGION), 2, 'popu"lation'),
    "release/shares_lost/plain": lambda: questions.shares_lost(
        sharing(FILTERED, REGION), VECTOR, sharing(FILTERED, REGION).shares[0]
    ),
    "release/shares_lost/number_persons": lambda: questions.shares_lost(
        sharing(PERSONS, WEIGHT), VECTOR, sharing(PERSONS, WEIGHT).shares[0]
    ),
    "release/shares_lost/models": lambda: questions.shares_lost(
        sharing(replace(TWO_COLUMNS, population=K_MAPPED.population), REGION),
        VECTOR,
        sharing(TWO_COLUMNS, REGION).shares[0],
    ),
    "release/shares_lost/hostile_names": lambda: questions.shares_lost(
        sharing(HOSTILE_MODELS, ODD), HOSTILE_VECTOR, sharing(HOSTILE_MODELS, ODD).shares[0]
    ),
}
