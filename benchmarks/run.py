"""Every figure that this project promises, each with its bar; writes RESULTS.md, a section for each group.

python benchmarks/run.py                     # 1 and 10 million rows; a group that is not run keeps its section
python benchmarks/run.py --quick             # small tables, to see that it still works: its figures mean nothing
python benchmarks/run.py --only adult,start
python benchmarks/run.py --only huge         # 1, 10 and 100 million rows under --memory-limit

One scan: `SELECT count(*) FROM (SELECT count(*) FROM t GROUP BY <raw quasi-identifiers> HAVING count(*) < k)` in
the same DuckDB with the same threads. Medians of --rounds runs; a run over 10 million rows with its release, and
one of `huge`, is done once. Each row is measured in a process of its own, whose peak memory is given.

`huge` is run only where it is named: it takes long, and tens of GB in TMPDIR, where all tables are generated and
where the engine spills to.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
# The package of this clone, whether or not it is installed.
sys.path.insert(0, str(HERE.parent))

from figures import HEAD, Asked, Row, Skipped  # noqa: E402
from groups import GROUPS, ONLY_WHEN_NAMED  # noqa: E402
from measuring import Failed  # noqa: E402


def machine(rounds: int) -> str:
    """What the figures were taken on, and when."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, Python {platform.python_version()}, "
        f"DuckDB {version('duckdb')}, {time.strftime('%Y-%m-%d')}; medians of {rounds}."
    )


def rows_of(name: str, asked: Asked) -> Iterator[Row]:
    """The rows of a group; one that cannot be run, or fails, says so in a row."""
    try:
        yield from GROUPS[name](asked)
    except Skipped as reason:
        yield Row(name, "skipped", note=str(reason))
    except Failed as error:
        print(error, file=sys.stderr)
        yield Row(name, "failed", note=str(error).strip().splitlines()[-1])


def sections(text: str) -> dict[str, str]:
    """The sections of a file of results, by name."""
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def arguments() -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = ",".join(name for name in GROUPS if name not in ONLY_WHEN_NAMED)
    data = Path(os.environ.get("KANON_SHARED", HERE.parents[1] / "shared")) / "data"
    parser.add_argument("--rows", default="1000000,10000000", help="sizes of the generated tables")
    parser.add_argument("--rounds", type=int, default=3, help="how many runs a median is taken of")
    parser.add_argument("--only", default=default, help=f"groups, of {','.join(GROUPS)}")
    parser.add_argument("--quick", action="store_true", help="small tables, one run each; nothing is written")
    parser.add_argument("--data", type=Path, default=data, help="the folder that holds adult/")
    parser.add_argument("--memory-limit", default="6GB", help="of the group huge; default: %(default)s")
    parser.add_argument(
        "--time-limit",
        type=float,
        default=300,
        help="seconds for a run of the group lattice; default: %(default)g",
    )
    parser.add_argument("--write", type=Path, help="default: RESULTS.md, but with --quick")
    given = parser.parse_args()
    if unknown := set(given.only.split(",")) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    return given


def main() -> int:
    """Run the groups that are asked for, print and write their rows."""
    given = arguments()
    asked = Asked(
        (5_000,) if given.quick else tuple(map(int, given.rows.split(","))),
        1 if given.quick else given.rounds,
        given.data,
        given.memory_limit,
        given.time_limit,
        given.quick,
    )
    target = given.write or (None if given.quick else HERE / "RESULTS.md")
    written = sections(target.read_text(encoding="utf-8")) if target and target.exists() else {}
    failed = False
    print(machine(asked.rounds), HEAD, sep="\n\n", flush=True)
    for name in given.only.split(","):
        lines = []
        for row in rows_of(name, asked):
            failed |= row.figure == "failed"
            lines.append(row.line(judged=not given.quick))
            print(lines[-1], flush=True)
        written[name] = "\n".join([machine(asked.rounds), "", HEAD, *lines])
        if target:
            # After each group: what was measured stays if a later one is stopped.
            parts = [f"## {each}\n\n{written[each]}\n" for each in GROUPS if each in written]
            target.write_text("\n".join(["# Results\n", *parts]), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
