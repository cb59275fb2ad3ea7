"""A result as a person would want to read it in a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from kanon_sql.api.results import CheckResult, Phase, ProgressEvent, Result, StatementProgress
from kanon_sql.errors import one_line
from kanon_sql.privacy import Figure, figures
from kanon_sql.search import SearchProgress

_BAR = "█"
_LONGEST_VALUE = 24
_WIDEST_FIGURE = 9  # 1.234e+06
_PIPE_WIDTH = 110
_MOST_LOST = 5


class _Console(Console):
    """A console whose reader may go away early: then nothing more is printed, and the exit code stays ours."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def printing() -> Iterator[Console]:
    """A console on stdout; what goes to a pipe or a file has no codes and no trailing blanks."""
    # highlight off: rich would colour numbers inside names.
    console = _Console(highlight=False)
    if console.is_terminal:
        yield console
        return
    console = _Console(highlight=False, width=_PIPE_WIDTH)
    with console.capture() as capture:
        yield console
    console.out("\n".join(line.rstrip() for line in capture.get().split("\n")), end="")


def clean(text: str) -> str:
    """Any text as one printable line; nothing in it is taken for markup or for a terminal's codes."""
    return escape(one_line(text))


def cell(text: str, longest: int = _LONGEST_VALUE) -> str:
    """Any text as one printable line of a table, not too long."""
    line = one_line(text)
    return escape(line if len(line) <= longest else line[: longest - 1] + "…")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number of things in words.

    >>> counted(1, "class", "classes"), counted(1200, "row")
    ('1 class', '1,200 rows')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def print_result(result: Result) -> None:
    """The vector, the counts, what was left out and what was warned of."""
    with printing() as console:
        _print_result(console, result)


def _print_result(console: Console, result: Result) -> None:
    verb = "would be released" if result.output is None else "released"
    console.print(_headline(result))
    console.print()
    console.print(_levels(result))
    console.print()
    share = 100 * result.suppressed / result.rows
    console.print(
        f"  {result.rows:,} rows in, [bold]{result.released:,}[/bold] {verb}, "
        f"{result.suppressed:,} suppressed ({share:.2f} %, {result.max_suppression_rows:,} allowed)"
    )
    for per in result.bound.spec.max_suppression_per:
        console.print(f"  no value of {clean(per.column)} lost more than {per.shown_share} of its rows")
    size = result.class_size
    if result.classes:
        console.print(
            f"  {counted(result.classes, 'class', 'classes')} of {size['min']:,} to {size['max']:,} rows, "
            f"median {size['median']:,}"
        )
    if len(result.models) > 1:
        console.print(f"  every class satisfies {clean('; '.join(result.models))}")
    if len(result.models) > 1 or result.search["method"] in ("all", "optimal", "minimal"):
        console.print(f"  search: {clean(_search(result))}")
    persons = result.manifest.get("person_level")
    if isinstance(persons, dict) and persons["released"] is not None:
        console.print(
            f"  {persons['persons']:,} persons in, {persons['released']:,} released; "
            f"every class holds at least {persons['smallest_class']} of them"
        )
    measures = result.measures
    console.print(
        f"  accuracy {measures['accuracy']:.3f}, completeness {measures['completeness']:.3f}; height "
        f"{result.height} of {sum(result.heights)}"
        + (", proven least" if result.proven_minimal else f", {_not_least(result)}")
        + (" of the levels allowed" if result.proven_minimal and result.bound.restricted else "")
    )
    if result.bound.restricted:
        console.print(f"  levels allowed: {clean(_allowed(result))}")
    console.print(
        f"  {result.vectors_evaluated:,} of {result.bound.lattice.size:,} vectors evaluated, "
        f"{result.seconds['total']:.2f} s"
    )
    _print_lost(console, result)
    if result.dropped:
        console.print()
        console.print(f"  dropped, since at the top: {clean(', '.join(result.dropped))}")
    if result.left_out:
        console.print()
        console.print(
            "  left out: "
            + clean(", ".join(result.left_out))
            + "  [dim](--keep or --sensitive releases a column as it is)[/dim]"
        )
    for warning in result.warnings:
        console.print(f"  [yellow]warning:[/yellow] {clean(warning)}")


def _search(result: Result) -> str:
    """Which search chose the vector, and how far it is proven."""
    found = result.search
    if "objective" not in found:
        return f"{found['method']}, since {found['why']}" if "policy" not in found else str(found["why"])
    value = f"{found['objective']} {found['value']:.6g}"
    if found["proven"]:
        return f"{value}, the best of every vector that satisfies, proven"
    bound = (
        ""
        if found["bound"] is None
        else f"; no vector is better than {found['bound']:.6g}, a gap of {found['gap']:.3g}"
    )
    return f"{value}, the best found, not proven{bound}"


def _not_least(result: Result) -> str:
    """Why the height is not called the least."""
    return "as asked (not proven least)" if result.bound.spec.vector is not None else "not proven least"


def _print_lost(console: Console, result: Result) -> None:
    """The values that lose most beyond their share of the whole, where any loses noticeably more."""
    noticeable = result.lost.noticeable(max(result.k, 2), _MOST_LOST)
    if noticeable:
        table = Table(box=None, padding=(0, 2), header_style="dim")
        for title, justify in (
            ("lost beyond its share", "left"),
            ("value", "left"),
            ("suppressed", "right"),
            ("share lost", "right"),
            ("share of all", "right"),
        ):
            table.add_column(title, justify=justify, overflow="fold")  # type: ignore[arg-type]
        for name, each in noticeable:
            table.add_row(
                cell(name),
                cell(each.shown),
                f"{each.suppressed:,} of {each.rows:,}",
                f"{100 * each.share_lost:.2f} %",
                f"{100 * each.share_of_all:.2f} %",
            )
        console.print()
        console.print(table)
    if result.lost.held_back:
        held_back = clean(", ".join(result.lost.held_back))
        console.print(f"  which values of {held_back} lost rows is held back: it would tell of fewer than k")


def _allowed(result: Result) -> str:
    """The levels of those quasi-identifiers that may not take every one."""
    return ", ".join(
        f"{name} {low}" if low == high else f"{name} {low} to {high}"
        for name, (low, high) in result.bound.restricted.items()
    )


def print_explanation(result: Result) -> None:
    """What the search did: per height, per rule, and the seconds per phase."""
    explained = result.explanation
    if explained is None:
        return
    with printing() as console:
        console.print()
        heights = Table(box=None, padding=(0, 2), header_style="dim")
        for title in ("height", "vectors", "counted whole", "proven to fail by a part"):
            heights.add_column(title, justify="right")
        for row in explained.heights:
            heights.add_row(*(f"{number:,}" for number in row))
        console.print(heights)
        console.print()
        vectors = explained.vectors
        console.print(
            f"  {vectors['asked']:,} of {vectors['lattice']:,} vectors asked; "
            f"{vectors['decided_without_asking']:,} decided by one above or below while a height was tried"
        )
        work = explained.work
        if explained.entries is not None:
            each = work["entries_read"] / explained.entries if explained.entries else 0
            console.print(
                f"  frequency set of {explained.entries:,} entries; {work['entries_read']:,} entries read in "
                f"{work['statements']:,} statements, as many as {each:,.1f} times the whole"
            )
            console.print(
                f"  {work['rolled_up']:,} hubs rolled up; {work['proven_by_part']:,} of "
                f"{work['asked_in_part']:,} questions about a part of the classes were enough"
            )
        console.print("  " + ", ".join(f"{name} {seconds:.3f} s" for name, seconds in result.seconds.items()))


def _headline(result: Result) -> str:
    table = f"[bold]{clean(result.table)}[/bold]"
    person = result.bound.spec.person
    unit = f"persons ({clean(person)})" if person else "rows"
    if result.output is None:
        return f"{table} can be made {result.k}-anonymous, counting {unit}; dry run, nothing was written"
    return f"{table} → [bold]{clean(result.output)}[/bold], {result.k}-anonymous, counting {unit}, verified"


def _levels(result: Result) -> Table:
    table = Table(box=None, padding=(0, 2), pad_edge=True, header_style="dim")
    for title, justify in (
        ("quasi-identifier", "left"),
        ("hierarchy", "left"),
        ("level", "right"),
        ("", "left"),
        ("for example", "left"),
    ):
        table.add_column(title, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for i, column in enumerate(result.bound.columns):
        level = result.vector[column.name]
        example = result.examples[i] if i < len(result.examples) else None
        table.add_row(
            f"[bold]{cell(column.name)}[/bold]",
            _hierarchy(column.shown_hierarchy),
            f"{level} of {column.height}",
            cell(column.level_names[level]),
            f"{cell(example[0])} → {cell(example[1])}" if example else "",
        )
    return table


def _hierarchy(shown: str) -> str:
    """Where a hierarchy comes from, by the last two parts of its path."""
    return clean("/".join(shown.split("/")[-2:]))


def print_check(result: CheckResult) -> None:
    """Whether a table is k-anonymous, and how its classes are sized."""
    with printing() as console:
        _print_check(console, result)


def _print_check(console: Console, result: CheckResult) -> None:
    unit = "persons" if result.person else "rows"
    table = f"[bold]{clean(result.table)}[/bold]"
    qis = clean(", ".join(result.quasi_identifiers))
    if result.marked_rows:
        console.print(
            f"{counted(result.marked_rows, 'row')} with every quasi-identifier suppressed left aside"
        )
    if result.k_reached is None:
        console.print(f"{table} has no rows: {result.k}-anonymous, vacuously")
        return
    classes, rows = result.sizes.below(result.k)
    word = "[green]is[/green]" if result.is_k_anonymous else "[red]is not[/red]"
    reading = ", NULL as a wildcard" if result.null == "wildcard" else ""
    console.print(
        f"{table} {word} {result.k}-anonymous over {qis} (counting {unit}{reading}); "
        f"k reached: {result.k_reached}"
    )
    console.print(
        f"  {counted(result.sizes.rows, 'row')} in {counted(result.sizes.classes, 'class', 'classes')}"
    )
    if not result.is_k_anonymous:
        small = counted(classes, "class", "classes")
        console.print(
            f"  {small} with {counted(rows, 'row')} {'is' if classes == 1 else 'are'} smaller than {result.k}"
        )
    console.print()
    bins = result.sizes.histogram(result.k)
    most = max(int(each["rows"]) for each in bins)
    histogram = Table(box=None, padding=(0, 2), header_style="dim")
    for title in (f"class size ({unit})", "classes", "rows"):
        histogram.add_column(title, justify="right")
    histogram.add_column("")
    for each in bins:
        bar = _BAR * max(1, round(24 * int(each["rows"]) / most))
        histogram.add_row(str(each["sizes"]), f"{each['classes']:,}", f"{each['rows']:,}", bar)
    console.print(histogram)
    _print_models(console, result)
    for hint in result.hints:
        console.print(f"  [yellow]hint:[/yellow] {clean(hint)}")


def _print_models(console: Console, result: CheckResult) -> None:
    """Which models hold, and what each sensitive column reaches."""
    for verdict in result.models:
        name = clean((f"{verdict.column}: " if verdict.column else "") + verdict.model)
        if verdict.satisfied:
            console.print(f"  [green]holds[/green]  {name}")
        else:
            fails = f"{counted(verdict.classes, 'class', 'classes')} with {counted(verdict.rows, 'row')}"
            console.print(f"  [red]fails[/red]  {name}: {fails}")
    if not result.reached:
        return
    for columns in _abreast(list(result.reached), console.width):
        reached = Table(box=None, padding=(0, 2), header_style="dim")
        reached.add_column("what the table reaches", no_wrap=True)
        for column in columns:
            reached.add_column(cell(column), justify="right", no_wrap=True)
        for figure in figures(ranked=True, numeric=True):
            cells = [_figure(result.reached[column], figure) for column in columns]
            if any(cells):
                reached.add_row(figure.about, *cells)
        console.print()
        console.print(reached)
    console.print(f"  [dim]against the distribution of {clean(result.distribution or '')}[/dim]")


def _abreast(columns: Sequence[str], width: int) -> Iterator[Sequence[str]]:
    """As many columns at a time as fit beside the names of the figures, so that no number is cut."""
    room = width - max(len(figure.about) for figure in figures(ranked=True, numeric=True)) - 4
    several: list[str] = []
    taken = 0
    for column in columns:
        needed = max(cell_len(cell(column)), _WIDEST_FIGURE) + 4
        if several and taken + needed > room:
            yield several
            several, taken = [], 0
        several.append(column)
        taken += needed
    yield several


def _figure(found: Mapping[str, float | int | None], figure: Figure) -> str:
    """A number of a table's to four digits; empty where it does not apply.

    It is rounded to where it still holds when it is asked for: a least up, a most down.
    """
    if figure.name not in found:
        return ""
    number = found[figure.name]
    if number is None or isinstance(number, int):
        return "none" if number is None else str(number)
    safe = ROUND_FLOOR if figure.model.reaches == "least" else ROUND_CEILING
    exact = Decimal(f"{number:.12g}")
    return f"{Context(prec=4, rounding=safe).plus(exact).normalize():f}" if exact else "0"


@contextmanager
def progress_bar(enabled: bool) -> Iterator[Callable[[ProgressEvent], None] | None]:
    """A progress bar on stderr while a run works; None, and nothing printed, where it is not wanted."""
    if not enabled or not sys.stderr.isatty():
        yield None
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=28),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    words = {
        "hierarchies": "loading hierarchies",
        "frequency_set": "reading the table",
        "search": "searching",
        "advice": "looking for advice",
        "lost": "looking at what is lost",
        "release": "writing the release",
        "verification": "verifying",
    }
    task = bar.add_task("starting", total=None, note="")

    def show(event: ProgressEvent) -> None:
        if isinstance(event, Phase):
            bar.update(task, description=words[event.name], total=None, completed=0, note="")
        elif isinstance(event, StatementProgress):
            bar.update(task, total=100, completed=event.percent)
        elif isinstance(event, SearchProgress):
            bar.update(
                task,
                total=event.at_height,
                completed=min(event.done, event.at_height),
                note=f"height {event.trying} ({event.low}–{event.high}), {event.evaluated:,} vectors asked",
            )

    with bar:
        yield show
