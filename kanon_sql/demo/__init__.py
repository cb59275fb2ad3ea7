"""A made-up hospital to try kanon-sql on: a database, its hierarchies and a commented ``kanon.yml``."""

from kanon_sql.demo.files import DEFAULT_ROWS, DEFAULT_SEED, DemoFiles, generate

__all__ = ["DEFAULT_ROWS", "DEFAULT_SEED", "DemoFiles", "generate"]
