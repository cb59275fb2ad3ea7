"""What models of sensitive columns cost: one evaluation of one vector, against that of k alone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from figures import Asked, Row
from measuring import apart, median_seconds
from tables import Table, warehouse

MODELS: Mapping[str, list[dict[str, object]]] = {
    "distinct 3": [{"distinct_l_diversity": 3}],
    "entropy 2.5": [{"entropy_l_diversity": 2.5}],
    "recursive (3, 3)": [{"recursive_cl_diversity": {"c": 3, "l": 3}}],
    "t equal 0.4": [{"t_closeness": {"t": 0.4, "distance": "equal"}}],
    "alpha 0.3": [{"alpha_k": 0.3}],
    "beta 2": [{"basic_beta_likeness": 2}],
}
# From many small classes to few large ones.
VECTORS = ((2, 3, 0, 0, 0), (3, 3, 0, 1, 0), (4, 4, 0, 0, 1))


def models(asked: Asked) -> Iterator[Row]:
    """Each model; the figure is that of the vector where it costs most."""
    rows = asked.rows[-1]
    with tempfile.TemporaryDirectory() as folder:
        table = apart(warehouse, Path(folder), rows).value
        alone = apart(evaluations, table, [], asked.rounds)
        work = f"{rows:,} nearly unique rows, one evaluation of a vector"
        yield Row(f"{work} with k alone", max(alone.value), "s", None, alone.peak, milliseconds(alone.value))
        for name, model in asked.some(list(MODELS.items())):
            done = apart(evaluations, table, model, asked.rounds)
            ratio = max(seconds / base for seconds, base in zip(done.value, alone.value, strict=True))
            note = milliseconds(done.value)
            yield Row(f"{work} with {name}, against k alone", ratio, "×", None, done.peak, note)


def milliseconds(times: list[float]) -> str:
    """The time of each vector."""
    return "three vectors: " + ", ".join(f"{1000 * seconds:,.0f} ms" for seconds in times)


def evaluations(table: Table, model: list[dict[str, object]], rounds: int) -> list[float]:
    """The seconds that one evaluation of each vector takes, from the frequency set."""
    from kanon_sql import resources
    from kanon_sql.backends.duckdb_opening import open_file
    from kanon_sql.binding import bind
    from kanon_sql.catalog import find_source
    from kanon_sql.compiler import questions
    from kanon_sql.frequency import FrequencyCounter, load_mappings, load_sensitive
    from kanon_sql.spec import resolve_spec

    given = {
        "table": table.name,
        "quasi_identifiers": table.words["quasi_identifiers"],
        "k": 5,
        "max_suppression": "1%",
        "sensitive": {"diagnosis": model},
    }
    spec = resolve_spec(given=given, base=table.path.parent, builtins=resources.hierarchies_folder())
    with closing(open_file(table.path)) as engine:
        bound = bind(engine, spec, find_source(engine, spec))
        [(rows, _, _)] = engine.run(questions.totals(bound.question.source))
        load_mappings(engine, bound.question, bound.hierarchies)
        load_sensitive(engine, bound.question, bound.taxonomies)
        counter = FrequencyCounter(engine, bound.question, rows)
        return [
            median_seconds(partial(engine.run, counter.statement([vector])), rounds) for vector in VECTORS
        ]
