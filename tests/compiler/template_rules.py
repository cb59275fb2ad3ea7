"""What a template may print, checked on Jinja's syntax tree, and what its first lines say."""

from __future__ import annotations

import re

from jinja2 import Environment, nodes

# The filters that make a value fit to stand in a statement (kanon_sql.compiler.render).
FILTERS = {"ident", "path", "relation", "literal", "comment", "sql"}


def raw_values(source: str) -> list[str]:
    """Every place where a template prints something that no filter has made safe, as ``line: what``.

    Safe are: the template's own text, an expression whose outermost part is one of ``FILTERS``, a call of a
    macro of this template or of an imported one (macros are templates, and checked like them), a string
    constant, and what chooses between or joins such parts.

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

    def is_safe(node: nodes.Node | None) -> bool:
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
                return is_safe(node.expr1) and is_safe(node.expr2)
            case nodes.Concat():
                return all(is_safe(part) for part in node.nodes)
        return False

    faults = [
        f"{node.lineno}: {_shown(node)}"
        for output in tree.find_all(nodes.Output)
        for node in output.nodes
        if not is_safe(node)
    ]
    # These pass text on that a filter has already made safe, and may change it.
    for block in (nodes.FilterBlock, nodes.CallBlock):
        faults += [f"{node.lineno}: a {type(node).__name__}" for node in tree.find_all(block)]
    return faults


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
