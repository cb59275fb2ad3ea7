"""kanon.yml as a tree of located values.

The file is read event by event, not by ``yaml.safe_load``: keys and values keep the text as written (a
column may be called ``no``, ``on``, ``1`` or ``null``), every value has its line, and nothing is expanded
that could grow. Tags, anchors and aliases are refused: a spec needs none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kanon_sql.errors import SpecError, one_line
from kanon_sql.spec.located import MAX_DEPTH, Entries, Items, Located, Place, Scalar
from kanon_sql.spec.text import shown

MAX_BYTES = 1 << 20

_PLAIN_VALUES: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def load_file(path: Path, name: str | None = None) -> Entries:
    """Read a spec file.

    Args:
        path: the file.
        name: what errors call it; the path itself where None.

    Raises:
        SpecError: there is no such file, or it is no mapping in valid YAML and UTF-8.
    """
    name = one_line(str(path) if name is None else name)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SpecError("no such file", where=name) from None
    except IsADirectoryError:
        raise SpecError("a folder, not a spec file", where=name) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SpecError(f"cannot be read: {one_line(reason)}", where=name) from None
    if len(data) > MAX_BYTES:
        raise SpecError("larger than 1 MiB, which no spec is", where=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SpecError("not UTF-8", where=f"{name}:{line}", mend="save the file as UTF-8") from None
    return parse_text(text, name, path.parent)


def parse_text(text: str, name: str, folder: Path, kind: str = "spec") -> Entries:
    """Read the text of a spec; empty text is an empty spec.

    Args:
        text: the YAML.
        name: what errors call the file.
        folder: where relative paths in it start.
        kind: what the text is, for errors.

    Raises:
        SpecError: it is no mapping in valid YAML; the error names file and line.
    """
    import yaml

    loader: Any = None
    try:
        loader = yaml.SafeLoader(text)
        return _Builder(loader, name, folder).spec(kind)
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        what = f"the character {shown(text[error.position : error.position + 1])} may not stand in YAML"
        raise SpecError(what, where=f"{name}:{line}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = one_line(str(error.problem or error.context))
        mend = "indent with spaces, not tabs" if r"'\t'" in problem else None
        line = mark.line + 1 if mark else 1
        raise SpecError(f"not valid YAML: {problem}", where=f"{name}:{line}", mend=mend) from None
    except (ValueError, OverflowError):
        # PyYAML hands what an escape or a version says to chr() and int(), which refuse what is too large
        line = loader.line + 1 if loader else 1
        raise SpecError("not valid YAML: a number out of range", where=f"{name}:{line}") from None


class _Builder:
    """Builds the tree from PyYAML's events."""

    def __init__(self, loader: Any, name: str, folder: Path) -> None:
        self._next = loader.get_event
        self._name = name
        self._folder = folder

    def spec(self, kind: str) -> Entries:
        import yaml

        self._next()  # the stream starts
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return Entries((), self._place(event))
        root = self._value(self._next(), 0)
        self._next()  # the document ends
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._refuse(event, "a second document", f"keep one {kind} per file")
        if isinstance(root, Scalar) and root.value is None:
            return Entries((), root.place)
        if not isinstance(root, Entries):
            raise SpecError(
                f"a {kind} is a mapping of words to values, not {root.describe()}", where=root.place.where
            )
        return root

    def _value(self, event: Any, depth: int) -> Located:
        import yaml

        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._refuse(event, "anchors and aliases are not read", "write the value out")
        if event.tag is not None:
            raise self._refuse(event, f"the tag {shown(event.tag)} is not read", "leave the tag out")
        if depth > MAX_DEPTH:
            raise self._refuse(event, "nested too deeply")
        if isinstance(event, yaml.ScalarEvent):
            value = event.value if event.style else _PLAIN_VALUES.get(event.value, event.value)
            return Scalar(value, event.value, self._place(event))
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(inner := self._next(), yaml.SequenceEndEvent):
                items.append(self._value(inner, depth + 1))
            return Items(tuple(items), self._place(event))
        return self._mapping(event, depth)

    def _mapping(self, event: Any, depth: int) -> Entries:
        import yaml

        entries: list[tuple[Scalar, Located]] = []
        lines: dict[str, int] = {}
        while not isinstance(inner := self._next(), yaml.MappingEndEvent):
            key = self._value(inner, depth + 1)
            if not isinstance(key, Scalar) or key.raw is None:
                raise self._refuse(inner, f"{key.describe()} cannot be a key", "write a single word")
            if key.raw == "<<" and not inner.style:
                raise self._refuse(inner, "merge keys are not read", "write the words out")
            if key.raw in lines:
                raise self._refuse(inner, f"{shown(key.raw)} stands twice, first on line {lines[key.raw]}")
            lines[key.raw] = inner.start_mark.line + 1
            entries.append((key, self._value(self._next(), depth + 1)))
        return Entries(tuple(entries), self._place(event))

    def _place(self, event: Any) -> Place:
        return Place(f"{self._name}:{event.start_mark.line + 1}", self._folder)

    def _refuse(self, event: Any, what: str, mend: str | None = None) -> SpecError:
        return SpecError(what, where=self._place(event).where, mend=mend)
