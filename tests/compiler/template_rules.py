"""What a template may print, checked on Jinja's syntax tree, and what its first lines say."""

from __future__ import annotations

import re
from typing import TypeVar

from jinja2 import Environment, nodes

N = TypeVar("N", bound=nodes.Node)

# The filters that make a value fit to stand in a statement (kanon_sql.compiler.render).
FILTERS = {"ident", "path", "relation", "literal", "comment", "sql"}


def raw_values(source: str) -> list[str]:
    """Every place where a template prints something that no filter has made safe, as ``line: what``.

    Safe are: the template's own text, an expression whose outermost part is one of ``FILTERS``, a call of a
    macro of this template or of an imported one (macros are templates, and checked like them), a string
    constant, a name that its macro (or the template, outside of macros) sets to nothing but what is safe, and
    what chooses between or joins such parts.

    >>> raw_values("SELECT {{ column | ident }} FROM {{ table }}")
    ['1: table']
    """
    tree = Environment().parse(source)
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    modules = {module.target for module in tree.find_all(nodes.Import)}
    for imported in tree.find_all(nodes.FromImport):
        macros |= {name if isinstance(name, str) else name[1] for name in imported.names}

    def is_macro(node: nodes.Node) -> bool:
        if isinstance(node, nodes.Name):
            return node.name in macros
        return (
            isinstance(node, nodes.Getattr)
            and isinstance(node.node, nodes.Name)
            and (node.node.name in modules)
        )

    scopes = {id(tree): _Scope(tree), **{id(macro): _Scope(macro) for macro in tree.find_all(nodes.Macro)}}

    def is_safe(node: nodes.Node | None, scope: _Scope, seen: frozenset[str] = frozenset()) -> bool:
        def also(part: nodes.Node | None) -> bool:
            return is_safe(part, scope, seen)

        match node:
            case None | nodes.TemplateData():
                return True
            case nodes.Const():
                return isinstance(node.value, str)
            case nodes.Filter():
                return node.name in FILTERS
            case nodes.Call():
                return is_macro(node.node)
            case nodes.CondExpr():
                return also(node.expr1) and also(node.expr2)
            case nodes.Concat():
                return all(map(also, node.nodes))
            case nodes.Name() if node.name not in seen:
                values = scope.values(node.name)
                return bool(values) and all(is_safe(each, scope, seen | {node.name}) for each in values)
        return False

    faults = [
        f"{node.lineno}: {_shown(node)}"
        for scope in scopes.values()
        for output in scope.own(nodes.Output)
        for node in output.nodes
        if not is_safe(node, scope)
    ]
    # These pass text on that a filter has already made safe, and may change it.
    for block in (nodes.FilterBlock, nodes.CallBlock):
        faults += [f"{node.lineno}: a {type(node).__name__}" for node in tree.find_all(block)]
    return faults


class _Scope:
    """A macro, or a template outside of its macros: what it prints, and what it sets names to."""

    def __init__(self, root: nodes.Node) -> None:
        self._nodes: list[nodes.Node] = []
        waiting = list(root.iter_child_nodes())
        while waiting:
            node = waiting.pop()
            self._nodes.append(node)
            if not isinstance(node, nodes.Macro):
                waiting += node.iter_child_nodes()
        # Arguments and the variables of loops hold whatever they are given.
        self._given = {each.name for each in getattr(root, "args", ())}
        for loop in self.own(nodes.For):
            self._given |= {
                name.name
                for name in (loop.target, *loop.target.find_all(nodes.Name))
                if isinstance(name, nodes.Name)
            }

    def own(self, kind: type[N]) -> list[N]:
        """The nodes of a kind, in the order of their lines."""
        return sorted((n for n in self._nodes if isinstance(n, kind)), key=lambda node: node.lineno)

    def values(self, name: str) -> list[nodes.Node | None]:
        """Everything that a name is set to; none where it is anything but set."""
        found: list[nodes.Node | None] = []
        for each in self.own(nodes.Assign):
            pairs = [(each.target, each.node)]
            if isinstance(each.target, nodes.Tuple) and isinstance(each.node, nodes.Tuple):
                pairs = list(zip(each.target.items, each.node.items, strict=True))
            for target, value in pairs:
                named = {n.name for n in (target, *target.find_all(nodes.Name)) if isinstance(n, nodes.Name)}
                if name in named:
                    found.append(value if isinstance(target, nodes.Name) else None)
        unknown = name in self._given or any(each is None for each in found) or self.own(nodes.AssignBlock)
        return [] if unknown else found


def macros_of(source: str) -> dict[str, nodes.Macro]:
    """The macros that a template defines at its top, by name."""
    return {macro.name: macro for macro in Environment().parse(source).find_all(nodes.Macro)}


def documented_macros(said: str) -> dict[str, tuple[str, ...]]:
    """What the comment of a library says of its macros: lines ``name(arguments): …``."""
    return {
        name: tuple(each.strip() for each in given.split(",")) if given else ()
        for name, given in re.findall(r"^  (\w+)\(([^)\n]*)\):", said, re.MULTILINE)
    }


def arguments(macro: nodes.Macro) -> tuple[str, ...]:
    """The names of a macro's arguments."""
    return tuple(each.name for each in macro.args)


def used_arguments(macro: nodes.Macro) -> set[str]:
    """The arguments that a macro does something with."""
    read = {each.name for part in macro.body for each in part.find_all(nodes.Name) if each.ctx == "load"}
    return read & set(arguments(macro))


def attributes_of(source: str, name: str) -> set[str]:
    """The attributes of a name that a template reads, methods that it calls aside."""
    tree = Environment().parse(source)
    called = {id(call.node) for call in tree.find_all(nodes.Call)}
    return {
        each.attr
        for each in tree.find_all(nodes.Getattr)
        if isinstance(each.node, nodes.Name) and each.node.name == name and id(each) not in called
    }


def columns_of(source: str, relation: str) -> set[str]:
    """The columns of a relation that the text of a template's predicates names, ``rows`` aside."""
    found: set[str] = set()
    for name, macro in macros_of(source).items():
        for output in macro.find_all(nodes.Output) if name != "rows" else ():
            before = ""
            for node in output.nodes:
                text = node.data if isinstance(node, nodes.TemplateData) else ""
                found |= set(re.findall(rf"\b{relation}\.(\w+)", text))
                if re.search(rf"\b{relation}\.$", before):  # a name that the template chooses
                    found |= {
                        each.value
                        for each in ([node.expr1, node.expr2] if isinstance(node, nodes.CondExpr) else [node])
                        if isinstance(each, nodes.Const)
                    }
                before = text
    return found


def calls_from(source: str, library: str) -> set[str]:
    """The macros that a template calls of a library, which it imports by its path."""
    tree = Environment().parse(source)
    names = {
        each.target
        for each in tree.find_all(nodes.Import)
        if isinstance(each.template, nodes.Const) and each.template.value == library
    }
    return {
        each.attr
        for each in tree.find_all(nodes.Getattr)
        if isinstance(each.node, nodes.Name) and each.node.name in names
    }


def marked_as_sql(source: str) -> set[str]:
    """The expressions that a template prints as SQL already (the filter ``sql``), as they stand there."""
    tree = Environment().parse(source)
    return {_shown(node.node) for node in tree.find_all(nodes.Filter) if node.name == "sql" and node.node}


def _shown(node: nodes.Node) -> str:
    match node:
        case nodes.Name():
            return node.name
        case nodes.Getattr():
            return f"{_shown(node.node)}.{node.attr}"
        case nodes.Getitem():
            return f"{_shown(node.node)}[{_shown(node.arg)}]"
        case nodes.Const():
            return repr(node.value)
        case nodes.Call():
            return f"{_shown(node.node)}({', '.join(_shown(each) for each in node.args)})"
        case nodes.Filter():
            return f"{_shown(node.node) if node.node else ''} | {node.name}"
    return type(node).__name__


def header(source: str) -> str:
    """The comment that a template starts with, ``{# … #}`` or lines of ``--``; empty where there is none."""
    jinja_comment = re.match(r"\{#(.*?)#\}", source, re.DOTALL)
    if jinja_comment:
        return jinja_comment[1]
    lines = re.match(r"(?:--[^\n]*\n)+", source)
    return lines[0] if lines else ""
