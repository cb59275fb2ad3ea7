"""What models of sensitive columns cost: searches and single evaluations, against those of k alone.

python benchmarks/models.py --rows 10000000
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from scans import generate, median_seconds

import kanon_sql
from kanon_sql import resources
from kanon_sql.backends.duckdb import open_file
from kanon_sql.binding import bind
from kanon_sql.catalog import find_source
from kanon_sql.compiler import questions
from kanon_sql.frequency import FrequencyCounter, load_mappings, load_sensitive
from kanon_sql.spec import resolve_spec

MODELS: Mapping[str, list[dict[str, object]]] = {
    "k alone": [],
    "distinct 3": [{"distinct_l_diversity": 3}],
    "entropy 2.5": [{"entropy_l_diversity": 2.5}],
    "recursive (3, 3)": [{"recursive_cl_diversity": {"c": 3, "l": 3}}],
    "t equal 0.4": [{"t_closeness": {"t": 0.4, "distance": "equal"}}],
    "alpha 0.3": [{"alpha_k": 0.3}],
    "beta 2": [{"basic_beta_likeness": 2}],
}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--search", action="store_true", help="time whole searches with distinct 3, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path, hierarchies = generate(Path(folder), given.rows)
        words: dict[str, object] = {
            "table": "people",
            "k": 5,
            "max_suppression": "1%",
            "quasi_identifiers": {name: {"hierarchy": file} for name, file in hierarchies.items()},
        }
        print(f"{given.rows:,} rows; one evaluation of one vector, medians of {given.rounds}")
        print(f"{'':18}" + "".join(f"{vector!s:>28}" for vector in VECTORS))
        base: list[float] = []
        for name, models in MODELS.items():
            spec = resolve_spec(
                given={**words, "sensitive": {"diagnosis": models}},
                base=Path(folder),
                builtins=resources.hierarchies_folder(),
            )
            engine = open_file(path)
            stack.callback(engine.close)
            bound = bind(engine, spec, find_source(engine, spec))
            [(rows, _, _)] = engine.run(questions.totals(bound.question.source))
            load_mappings(engine, bound.question, bound.hierarchies)
            load_sensitive(engine, bound.question, bound.taxonomies)
            counter = FrequencyCounter(engine, bound.question, rows)
            times = [
                median_seconds(partial(engine.run, counter.statement([v])), given.rounds) for v in VECTORS
            ]
            base = base or times
            cells = "".join(f"{1000 * t:16,.0f} ms {t / b:6.2f} x" for t, b in zip(times, base, strict=True))
            print(f"{name:18}{cells}", flush=True)
        if given.search:
            for name in ("k alone", "distinct 3"):
                result = kanon_sql.anonymize(
                    path, **words, sensitive={"diagnosis": MODELS[name]}, dry_run=True
                )
                print(
                    f"{name:18} {result.vector} {result.vectors_evaluated} vectors, {result.seconds}",
                    flush=True,
                )


VECTORS = ((2, 3, 0, 0, 0), (3, 2, 0, 1, 0), (4, 3, 0, 0, 1))

if __name__ == "__main__":
    main()
