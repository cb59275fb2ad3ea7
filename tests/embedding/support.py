"""A run on a connection of the test's own, and all of a connection that a run might leave something in."""

from __future__ import annotations

from typing import Any

import duckdb

import kanon_sql

QUESTIONS = {
    "tables": "SELECT database_name, schema_name, table_name, temporary, estimated_size FROM duckdb_tables()",
    "views": "SELECT database_name, schema_name, view_name, temporary FROM duckdb_views() WHERE NOT internal",
    "settings": "SELECT name, value FROM duckdb_settings()",
    "databases": "SELECT database_name, path, readonly FROM duckdb_databases()",
    "schemas": "SELECT database_name, schema_name FROM duckdb_schemas()",
    "types": "SELECT schema_name, type_name FROM duckdb_types() WHERE NOT internal",
    "functions": "SELECT schema_name, function_name FROM duckdb_functions() WHERE NOT internal",
    "sequences": "SELECT schema_name, sequence_name, last_value FROM duckdb_sequences()",
    "indexes": "SELECT schema_name, index_name FROM duckdb_indexes()",
    "constraints": "SELECT table_name, constraint_text FROM duckdb_constraints()",
    "variables": "SELECT name, value FROM duckdb_variables()",
    "prepared": "SELECT name FROM duckdb_prepared_statements()",
    "secrets": "SELECT name FROM duckdb_secrets()",
    "extensions": "SELECT extension_name FROM duckdb_extensions() WHERE loaded",
    "session": "SELECT current_database(), current_schema(), current_setting('search_path')",
}


def state(connection: Any) -> dict[str, list[tuple[Any, ...]]]:
    """All of a connection that a run might leave something in."""
    return {name: connection.execute(f"{sql} ORDER BY ALL").fetchall() for name, sql in QUESTIONS.items()}


def run(database: Any, **words: Any) -> kanon_sql.Result:
    """A small run over the people, without hierarchy files."""
    asked: dict[str, Any] = {"table": "people", "quasi_identifiers": ["zip", "sex"], "output": "released"}
    return kanon_sql.anonymize(database, **{**asked, "keep": ["diagnosis"], **words})


class Wrapper:
    """A cursor as dbt-duckdb hands it to a Python model: it delegates, and is no DuckDBPyConnection."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def execute(self, sql: str, bindings: Any = None) -> Any:
        """Errors of Python come out as the wrapper's own, as in dbt-duckdb."""
        try:
            return self._cursor.execute(sql) if bindings is None else self._cursor.execute(sql, bindings)
        except RuntimeError as error:
            raise WrapperError(str(error)) from error


class WrapperError(Exception):
    """What a wrapper raises."""
