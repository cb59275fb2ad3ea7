"""Vectors side by side, in a terminal."""

from __future__ import annotations

from rich.table import Table

from kanon_sql.api.comparing import Candidate, Comparison
from kanon_sql.measures import measures
from kanon_sql.report.terminal import cell, clean, counted, printing

# More are in --json and --csv.
MOST_SHOWN = 20


def print_comparison(comparison: Comparison) -> None:
    """What each vector loses; of very many, the first."""
    shown = comparison.candidates[:MOST_SHOWN]
    with printing() as console:
        if comparison.complete is not None:
            what = counted(len(comparison.candidates), "k-minimal vector")
            proven = "" if comparison.complete else " so far, not proven to be all: the time was up"
            console.print(
                f"[bold]{clean(comparison.table)}[/bold]: {what}{proven}; k = {comparison.k}, at most "
                f"{counted(comparison.max_suppression_rows, 'row')} suppressed"
            )
            console.print()
        console.print(_table(comparison, shown))
        if len(comparison.candidates) > len(shown):
            console.print(f"  … and {len(comparison.candidates) - len(shown):,} more (--csv, --json)")
        console.print()
        console.print(
            f"  {comparison.vectors_evaluated:,} of {comparison.lattice_size:,} vectors evaluated, "
            f"{comparison.seconds['total']:.2f} s"
        )
        for warning in comparison.warnings:
            console.print(f"  [yellow]warning:[/yellow] {clean(warning)}")


def _table(comparison: Comparison, shown: tuple[Candidate, ...]) -> Table:
    """Vectors as rows while there are more than four, and as columns, with every measure, otherwise."""
    names = comparison.quasi_identifiers
    if len(shown) > 4:
        table = Table(box=None, padding=(0, 1), header_style="dim")
        for title in ("vector", "height", "suppressed", "classes", "gcp", "prec", "c_avg"):
            table.add_column(title, justify="left" if title == "vector" else "right", overflow="fold")
        for each in shown:
            table.add_row(
                ",".join(str(each.vector[name]) for name in names),
                str(each.height),
                f"{each.suppressed:,}",
                f"{each.classes:,}",
                *(_number(each.measures.get(word)) for word in ("gcp", "prec", "c_avg")),
            )
        table.caption = cell(f"levels of {', '.join(names)}", longest=100)
        table.caption_justify = "left"
        return table
    table = Table(box=None, padding=(0, 2), header_style="dim")
    table.add_column("")
    for at, _ in enumerate(shown):
        table.add_column(f"vector {at + 1}", justify="right")
    for name in names:
        table.add_row(cell(name), *(str(each.vector[name]) for each in shown))
    table.add_row("height", *(str(each.height) for each in shown))
    table.add_row(
        "satisfies" if comparison.bound.spec.max_suppression_per else "within MaxSup",
        *("yes" if each.satisfies else "no" for each in shown),
    )
    table.add_row("suppressed", *(f"{each.suppressed:,}" for each in shown))
    table.add_row("classes", *(f"{each.classes:,}" for each in shown))
    for word, measure in measures().items():
        better = "↑" if measure.better == "high" else "↓"
        table.add_row(f"{word} {better}", *(_number(each.measures.get(word)) for each in shown))
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:,.0f}"
