"""A pipeline step in plain Python: generate a table, release it, check the release, hand it on as Arrow.

Run it anywhere: ``python examples/python_pipeline.py [FOLDER]``. It makes its own data in FOLDER.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import kanon_sql
from kanon_sql import demo


def main(folder: Path) -> None:
    files = demo.generate(folder, rows=5_000, overwrite=True)
    result = kanon_sql.anonymize(
        files.database,
        table="patients",
        k=5,
        max_suppression="2%",
        quasi_identifiers=["birth_date", "sex", "zip"],
        hierarchies={name: folder / "hierarchies" / f"{name}.csv" for name in ("birth_date", "sex", "zip")},
        sensitive=["diagnosis"],
        output="patients_released",
        overwrite=True,
        manifest=folder / "manifest.json",
    )
    print(f"levels {result.vector}: {result.released} of {result.rows} rows in {result.classes} classes")

    gate = kanon_sql.check(
        files.database, table="patients_released", quasi_identifiers=["birth_date", "sex", "zip"], k=5
    )
    if not gate.satisfied:
        raise SystemExit(f"not released: k reached is {gate.k_reached}")

    for batch in result.to_reader(batch_size=1_000):
        print(f"a batch of {batch.num_rows} rows, columns {batch.schema.names}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
