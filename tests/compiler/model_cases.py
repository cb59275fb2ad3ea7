"""The golden cases of privacy models beyond k: their predicates alone, and every statement that holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from kanon_sql.compiler import Question, SensitiveColumn, Source, Statement, questions
from kanon_sql.compiler.render import environment
from kanon_sql.privacy import KAnonymity, KMap, PrivacyModel, SensitiveModel, figures
from kanon_sql.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK, BetaLikeness, DeltaDisclosure, EnhancedBetaLikeness
from kanon_sql.privacy.source_mass import SourceMass
from kanon_sql.privacy.t_closeness import (
    EqualTCloseness,
    HierarchicalTCloseness,
    NumericTCloseness,
    OrderedTCloseness,
)
from tests.compiler.builders import (
    AGE,
    FILTER,
    HOSTILE,
    HOSTILE_NAMES,
    HOSTILE_TABLE,
    HOSTILE_VECTOR,
    ID_FACTOR,
    OUTPUT,
    PARQUET,
    PERSONS,
    PLAIN,
    TEMPORARY,
    ZIP,
    column,
    dropping,
    sensitive,
)

DISTINCT = DistinctLDiversity(3)
ENTROPY = EntropyLDiversity(Fraction(5, 2))
RECURSIVE = RecursiveCLDiversity(Fraction(3), 2)
EQUAL = EqualTCloseness(Fraction(1, 5))
ORDERED = OrderedTCloseness(Fraction(1, 5))
GIVEN_ORDER = OrderedTCloseness(Fraction(1, 5), ("mild", "it's; bad", 'the "worst"'), "last")
NULL_FIRST = OrderedTCloseness(Fraction(1, 5), None, "first")
NUMERIC = NumericTCloseness(Fraction(1, 5))
HIERARCHICAL = HierarchicalTCloseness(Fraction(1, 5), "hierarchies/diagnosis.csv")
ALPHA = AlphaK(Fraction(1, 2))
NAMED = AlphaK(None, (("HIV", Fraction(1, 5)), ("it's */ drop table x; --", Fraction(0))))
BETA = BetaLikeness(Fraction(2))
ENHANCED = EnhancedBetaLikeness(Fraction(2))
DELTA = DeltaDisclosure(Fraction(3, 2))
OF_MASS = SourceMass(Fraction(4, 5))
OF_TOTAL = SourceMass(Fraction(1, 3), "total")
K_MAP = KMap(20, "census")

# What a hierarchy over the sensitive values becomes; and one with names that are hostile.
TAXONOMY = column("diagnosis", mapping="kanon_nodes_0_diagnosis")
HOSTILE_TAXONOMY = column('dia"gnosis', mapping='tax"; --', height=1)
POPULATION = Source(("warehouse", "main", "census"))
REFERENCE = Source(("warehouse", "main", "everybody"), FILTER)

# Every model, as the column that it looks at.
MODELS: Mapping[str, SensitiveColumn] = {
    "alpha_k": sensitive("diagnosis", ALPHA),
    "alpha_k_named": sensitive("diagnosis", NAMED),
    "beta_likeness": sensitive("diagnosis", BETA),
    "delta_disclosure": sensitive("diagnosis", DELTA),
    "distinct_l_diversity": sensitive("diagnosis", DISTINCT),
    "enhanced_beta_likeness": sensitive("diagnosis", ENHANCED),
    "entropy_l_diversity": sensitive("diagnosis", ENTROPY),
    "recursive_cl_diversity": sensitive("diagnosis", RECURSIVE),
    "t_closeness_equal": sensitive("diagnosis", EQUAL),
    "t_closeness_hierarchical": sensitive("diagnosis", HIERARCHICAL, taxonomy=TAXONOMY),
    "t_closeness_numeric": sensitive("born", NUMERIC, sql_type="DATE"),
    "t_closeness_ordered": sensitive("severity", GIVEN_ORDER),
}


def of(*columns: SensitiveColumn, base: Question = PLAIN) -> Question:
    """A question with sensitive columns."""
    return replace(base, sensitive=columns)


# Several models of one column: those that share their rows are judged together.
ALL_MODELS = sensitive(
    "diagnosis",
    DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, ALPHA, NAMED, BETA, ENHANCED, DELTA,
)  # fmt: skip
# Two columns: one where the size of a class is told too, one of which only its distance is asked.
TWO_COLUMNS = of(sensitive("diagnosis", ENTROPY, EQUAL), sensitive("severity", GIVEN_ORDER))
# All that is asked is monotone under suppression.
SURE = of(sensitive("diagnosis", DISTINCT))
IGNORED = of(sensitive("diagnosis", ENTROPY, DELTA, nulls="ignore"))
COUNTED = of(sensitive("diagnosis", ENTROPY, EQUAL, count="persons"), base=PERSONS)
COUNTED_IGNORED = of(sensitive("diagnosis", DISTINCT, BETA, nulls="ignore", count="persons"), base=PERSONS)
# Persons are counted for k, rows for the model.
ROWS_OF_PERSONS = of(sensitive("diagnosis", DISTINCT), base=PERSONS)
K_MAPPED = replace(PLAIN, models=(KAnonymity(5), K_MAP), population=POPULATION)
K_MAP_ALONE = replace(PLAIN, models=(K_MAP,), population=replace(POPULATION, row_filter=FILTER))
K_MAPPED_L = replace(SURE, models=(KAnonymity(5), K_MAP), population=POPULATION)
AGAINST_REFERENCE = replace(of(sensitive("diagnosis", EQUAL)), reference=REFERENCE)
HOSTILE_SENSITIVE = tuple(
    sensitive(name, model, taxonomy=taxonomy)
    for name, model, taxonomy in (
        ('dia"gnosis', HierarchicalTCloseness(Fraction(1, 5), "it's.csv"), HOSTILE_TAXONOMY),
        ("from", OrderedTCloseness(Fraction(1, 5), HOSTILE_NAMES, "first"), None),
        ("*/ drop table x; /*", NAMED, None),
    )
)
HOSTILE_MODELS = replace(
    HOSTILE,
    sensitive=HOSTILE_SENSITIVE,
    models=(KAnonymity(5), KMap(9, "x")),
    population=Source(HOSTILE_TABLE),
)


def standing(question: Question) -> Question:
    """The same of a table as it stands: no mapping table, no name in scratch."""
    return replace(
        question,
        columns=tuple(
            replace(each, mapping="", digits="", codes="", height=0, top="") for each in question.columns
        ),
    )


def reaching(
    name: str, *, nulls: str = "value", count: str = "rows", sql_type: str = "INTEGER"
) -> SensitiveColumn:
    """A column that is asked for all of its figures."""
    models = [figure.model for figure in figures(ranked=True, numeric=True)]
    return sensitive(name, *models, sql_type=sql_type, nulls=nulls, count=count)


def _predicate(model: PrivacyModel, looked_at: SensitiveColumn | None = None) -> Callable[[], Statement]:
    """A model's predicate as a query over one class per value of `class`: what its template defines."""

    def render() -> Statement:
        assert model.template.endswith(".sql.j2")
        macros = environment().get_template(model.template).module
        size, total = ("COUNT(*)", "SUM(v.n)")
        relation = "values_0"
        if hasattr(macros, "rows"):
            assert looked_at is not None
            given = (model, ["class"], "values_0", "source_0", looked_at, looked_at.taxonomy_of(model))
            relation = macros.rows(*given)
        figures = [f"{macros.violation(model, size, total)} AS violating"]  # type: ignore[attr-defined]
        if hasattr(macros, "reach"):
            figures.append(f"{macros.reach(model, size, total)} AS reached")
        text = f"SELECT v.class, {', '.join(figures)} FROM {relation} AS v GROUP BY v.class"
        return Statement(model.template.removesuffix(".sql.j2"), text)

    return render


def _of_column(looked_at: SensitiveColumn) -> Callable[[], Statement]:
    [model] = looked_at.models
    return _predicate(model, looked_at)


PREDICATES: dict[str, Callable[[], Statement]] = {
    "privacy/alpha_k/half": _of_column(MODELS["alpha_k"]),
    "privacy/alpha_k_named/hostile_values": _of_column(MODELS["alpha_k_named"]),
    "privacy/alpha_k_named/zoned": _of_column(replace(MODELS["alpha_k_named"], sql_type="TIMESTAMPTZ")),
    "privacy/beta_likeness/basic": _of_column(MODELS["beta_likeness"]),
    "privacy/beta_likeness/enhanced": _of_column(MODELS["enhanced_beta_likeness"]),
    "privacy/delta_disclosure/fraction": _of_column(MODELS["delta_disclosure"]),
    "privacy/distinct_l_diversity/three": _of_column(MODELS["distinct_l_diversity"]),
    "privacy/entropy_l_diversity/fraction": _of_column(MODELS["entropy_l_diversity"]),
    "privacy/k_anonymity/five": _predicate(KAnonymity(5)),
    "privacy/k_map/twenty": _predicate(K_MAP),
    "privacy/recursive_cl_diversity/three_two": _of_column(MODELS["recursive_cl_diversity"]),
    "privacy/source_mass/of_mass": _of_column(sensitive("diagnosis", OF_MASS)),
    "privacy/source_mass/of_total": _of_column(sensitive("diagnosis", OF_TOTAL)),
    "privacy/t_closeness_equal/fifth": _of_column(MODELS["t_closeness_equal"]),
    "privacy/t_closeness_hierarchical/two_levels": _of_column(MODELS["t_closeness_hierarchical"]),
    "privacy/t_closeness_hierarchical/height_0": _of_column(
        sensitive("diagnosis", HIERARCHICAL, taxonomy=replace(TAXONOMY, height=0))
    ),
    "privacy/t_closeness_hierarchical/hostile_names": _of_column(HOSTILE_SENSITIVE[0]),
    "privacy/t_closeness_ordered/given_order": _of_column(MODELS["t_closeness_ordered"]),
    "privacy/t_closeness_ordered/given_order_zoned": _of_column(
        replace(MODELS["t_closeness_ordered"], sql_type="TIMESTAMPTZ")
    ),
    "privacy/t_closeness_ordered/own_order": _of_column(sensitive("age", ORDERED, sql_type="INTEGER")),
    "privacy/t_closeness_ordered/null_first": _of_column(sensitive("age", NULL_FIRST, sql_type="INTEGER")),
    "privacy/t_closeness_ordered/hostile_names": _of_column(HOSTILE_SENSITIVE[1]),
    "privacy/t_closeness_ordered/numeric_date": _of_column(MODELS["t_closeness_numeric"]),
    "privacy/t_closeness_ordered/numeric_decimal": _of_column(
        sensitive("income", NUMERIC, sql_type="DECIMAL(9,2)")
    ),
}

VECTOR = (1, 0)

CHECKS: dict[str, Callable[[], Statement]] = {
    **{
        f"check/direct/{name}": lambda looked_at=looked_at: questions.check_direct(of(looked_at), VECTOR)  # type: ignore[misc]
        for name, looked_at in MODELS.items()
    },
    "check/direct/all_models": lambda: questions.check_direct(of(ALL_MODELS), VECTOR),
    "check/direct/two_sensitive_columns": lambda: questions.check_direct(TWO_COLUMNS, VECTOR),
    "check/direct/nulls_ignored": lambda: questions.check_direct(IGNORED, VECTOR),
    "check/direct/persons_counted": lambda: questions.check_direct(COUNTED, VECTOR),
    "check/direct/persons_counted_nulls_ignored": lambda: questions.check_direct(COUNTED_IGNORED, VECTOR),
    "check/direct/rows_of_persons": lambda: questions.check_direct(ROWS_OF_PERSONS, VECTOR),
    "check/direct/k_map": lambda: questions.check_direct(K_MAPPED, VECTOR),
    "check/direct/k_map_alone": lambda: questions.check_direct(K_MAP_ALONE, VECTOR),
    "check/direct/k_map_and_l": lambda: questions.check_direct(K_MAPPED_L, VECTOR),
    "check/direct/reference": lambda: questions.check_direct(AGAINST_REFERENCE, VECTOR),
    "check/direct/hostile_models": lambda: questions.check_direct(HOSTILE_MODELS, HOSTILE_VECTOR),
    "check/mapped_rows/population": lambda: questions.mapped_rows(K_MAPPED, K_MAPPED.population),
    "check/vector_class_sizes/models": lambda: questions.vector_class_sizes(SURE, VECTOR),
    "check/vector_class_sizes/k_map": lambda: questions.vector_class_sizes(K_MAPPED, VECTOR),
    "check/unlisted_values/hostile_names": lambda: questions.unlisted_values(
        HOSTILE.source, HOSTILE_SENSITIVE[1], HOSTILE_NAMES
    ),
    "check/unlisted_values/zoned": lambda: questions.unlisted_values(
        replace(PLAIN.source, row_filter=FILTER), sensitive("seen", ORDERED, sql_type="TIMESTAMPTZ"), ("a",)
    ),
    "check/absent_values/hostile_names": lambda: questions.absent_values(
        HOSTILE.source, HOSTILE_SENSITIVE[2], NAMED.named_values
    ),
    "check/odd_values/text": lambda: questions.odd_values(
        HOSTILE.source, HOSTILE_SENSITIVE[0], numeric=False
    ),
    "check/odd_values/number": lambda: questions.odd_values(
        replace(PLAIN.source, table=PARQUET), sensitive("weight", NUMERIC, sql_type="DOUBLE"), numeric=True
    ),
    "check/odd_values/date": lambda: questions.odd_values(
        PLAIN.source, sensitive("born", NUMERIC, sql_type="DATE"), numeric=True
    ),
    "check/values_beyond/reference": lambda: questions.values_beyond(
        AGAINST_REFERENCE, AGAINST_REFERENCE.sensitive[0]
    ),
    "check/values_beyond/nulls_ignored": lambda: questions.values_beyond(
        replace(IGNORED, reference=REFERENCE), IGNORED.sensitive[0]
    ),
    "check/values_beyond/hostile_names": lambda: questions.values_beyond(
        replace(HOSTILE_MODELS, reference=Source(HOSTILE_TABLE)), HOSTILE_SENSITIVE[1]
    ),
    "check/violating_classes/model": lambda: questions.check_violating(standing(SURE), None),
    "check/violating_classes/mark": lambda: questions.check_violating(standing(SURE), "it's *"),
    "check/violating_classes/persons": lambda: questions.check_violating(standing(COUNTED), None),
    "check/violating_classes/k_map": lambda: questions.check_violating(standing(K_MAP_ALONE), "*"),
    "check/violating_classes/reference": lambda: questions.check_violating(standing(AGAINST_REFERENCE), None),
    "check/violating_classes/hostile_names": lambda: questions.check_violating(standing(HOSTILE_MODELS), "*"),
    "check/reached/all_figures": lambda: questions.reached(standing(of(reaching("income"))), None),
    "check/reached/text": lambda: questions.reached(
        standing(of(sensitive("diagnosis", *(each.model for each in figures(ranked=False, numeric=False))))),
        "it's *",
    ),
    "check/reached/persons": lambda: questions.reached(
        standing(of(reaching("born", nulls="ignore", count="persons", sql_type="DATE"), base=PERSONS)), None
    ),
    "check/reached/reference": lambda: questions.reached(standing(AGAINST_REFERENCE), None),
    "check/reached/hostile_names": lambda: questions.reached(
        standing(of(sensitive('dia"gnosis', ENTROPY, ENHANCED), base=HOSTILE)), "*"
    ),
}

_ONE = (1, ID_FACTOR)
_TWO = (2, 1)


def _evaluate(question: Question, words: tuple[int, int]) -> Callable[[], Statement]:
    population = "kanon_population" if question.population is not None else None
    return lambda: questions.evaluate(question, "kanon_frequency", population, *words)


FREQUENCIES: dict[str, Callable[[], Statement]] = {
    **{f"frequency/evaluate/{name}": _evaluate(of(looked_at), _ONE) for name, looked_at in MODELS.items()},
    "frequency/evaluate/all_models": _evaluate(of(ALL_MODELS), _ONE),
    "frequency/evaluate/all_models_two_words": _evaluate(of(ALL_MODELS), _TWO),
    "frequency/evaluate/two_sensitive_columns": _evaluate(TWO_COLUMNS, _ONE),
    "frequency/evaluate/two_sensitive_columns_two_words": _evaluate(TWO_COLUMNS, _TWO),
    "frequency/evaluate/nulls_ignored": _evaluate(IGNORED, _ONE),
    "frequency/evaluate/persons_counted": _evaluate(COUNTED, _ONE),
    "frequency/evaluate/persons_counted_two_words": _evaluate(COUNTED_IGNORED, _TWO),
    "frequency/evaluate/rows_of_persons": _evaluate(ROWS_OF_PERSONS, _ONE),
    "frequency/evaluate/k_map": _evaluate(K_MAPPED, _ONE),
    "frequency/evaluate/k_map_two_words": _evaluate(K_MAPPED, _TWO),
    "frequency/evaluate/k_map_and_l": _evaluate(K_MAPPED_L, _ONE),
    "frequency/evaluate/hostile_models": lambda: questions.evaluate(
        HOSTILE_MODELS, 'fre"quency', 'popu"lation', *_TWO
    ),
    "frequency/dictionary/rows": lambda: questions.dictionary(SURE, SURE.sensitive[0]),
    "frequency/dictionary/temporary": lambda: questions.dictionary(
        of(SURE.sensitive[0], base=TEMPORARY), SURE.sensitive[0]
    ),
    "frequency/dictionary/nulls_ignored": lambda: questions.dictionary(IGNORED, IGNORED.sensitive[0]),
    "frequency/dictionary/persons": lambda: questions.dictionary(COUNTED, COUNTED.sensitive[0]),
    "frequency/dictionary/persons_nulls_ignored": lambda: questions.dictionary(
        COUNTED_IGNORED, COUNTED_IGNORED.sensitive[0]
    ),
    "frequency/dictionary/hostile_names": lambda: questions.dictionary(
        HOSTILE_MODELS, replace(HOSTILE_SENSITIVE[2], count="persons")
    ),
    "frequency/hub/sensitive": lambda: questions.roll_up(
        TWO_COLUMNS, "kanon_frequency", "kanon_hub_0", [0b1100]
    ),
    "frequency/encode/sensitive": lambda: questions.encode(SURE, "kanon_frequency", [[0, 1]]),
    "frequency/encode/two_sensitive_columns": lambda: questions.encode(
        TWO_COLUMNS, "kanon_frequency", [[0], [0, 1]]
    ),
    "frequency/encode/sensitive_persons": lambda: questions.encode(COUNTED, "kanon_frequency", [[0, 1]]),
    "frequency/encode/population": lambda: questions.encode_population(
        K_MAPPED_L, "kanon_population", [[0], [0, 1]]
    ),
    "frequency/encode/population_persons": lambda: questions.encode_population(
        replace(K_MAPPED, source=PERSONS.source), "kanon_population", [[0, 1]]
    ),
    "frequency/encode/hostile_sensitive": lambda: questions.encode(
        HOSTILE_MODELS, 'fre"quency', [[0, 1, 2, 3, 4]]
    ),
    "frequency/encode/hostile_population": lambda: questions.encode_population(
        HOSTILE_MODELS, 'popu"lation', [[0, 1, 2, 3, 4]]
    ),
    "mapping/flat/population": lambda: questions.mapping_flat(K_MAP_ALONE, ZIP),
    "mapping/flat/population_hostile_names": lambda: questions.mapping_flat(
        HOSTILE_MODELS, HOSTILE_MODELS.columns[4]
    ),
}

RELEASES: dict[str, Callable[[], Statement]] = {
    "release/release/models": lambda: questions.release(SURE, VECTOR, OUTPUT, shuffle_key="secret"),
    "release/release/k_map": lambda: questions.release(K_MAPPED, VECTOR, None),
    "release/release/persons_counted": lambda: questions.release(COUNTED, VECTOR, None),
    "release/release/two_sensitive_columns": lambda: questions.release(TWO_COLUMNS, VECTOR, None),
    "release/release/view_of_models": lambda: questions.release(
        replace(
            of(sensitive("diagnosis", HIERARCHICAL, taxonomy=replace(TAXONOMY, mapping_home=OUTPUT[:2]))),
            columns=tuple(replace(each, mapping_home=OUTPUT[:2]) for each in (AGE, ZIP)),
        ),
        VECTOR,
        OUTPUT,
        view=True,
    ),
    "release/release/hostile_models": lambda: questions.release(
        HOSTILE_MODELS, HOSTILE_VECTOR, HOSTILE_TABLE, shuffle_key="it's secret"
    ),
    "release/export/models": lambda: questions.export(
        SURE, VECTOR, "out.parquet", shuffle_key="secret", kind="parquet"
    ),
    "release/person_classes/models": lambda: questions.person_classes(COUNTED, VECTOR, OUTPUT),
    "release/person_classes/hostile_models": lambda: questions.person_classes(
        HOSTILE_MODELS, HOSTILE_VECTOR, HOSTILE_TABLE
    ),
    "release/violating_classes/model": lambda: questions.violating_classes(SURE, VECTOR, OUTPUT),
    "release/violating_classes/dropped": lambda: questions.violating_classes(
        dropping(K_MAPPED, "age"), (3, 0), OUTPUT
    ),
    "release/violating_classes/two_sensitive_columns": lambda: questions.violating_classes(
        TWO_COLUMNS, VECTOR, OUTPUT
    ),
    "release/violating_classes/k_map": lambda: questions.violating_classes(K_MAPPED, VECTOR, OUTPUT),
    "release/violating_classes/file": lambda: questions.violating_classes(SURE, VECTOR, PARQUET),
    "release/violating_classes/hostile_names": lambda: questions.violating_classes(
        replace(HOSTILE_MODELS, source=replace(HOSTILE.source, person=None)), HOSTILE_VECTOR, HOSTILE_TABLE
    ),
}

MODEL_CASES = {**PREDICATES, **CHECKS, **FREQUENCIES, **RELEASES}


# One of every model, those included that the spec has no word for.
EVERY_MODEL: tuple[PrivacyModel | SensitiveModel, ...] = (
    *(model for looked_at in MODELS.values() for model in looked_at.models),
    OF_MASS,
    KAnonymity(5),
    K_MAP,
)
