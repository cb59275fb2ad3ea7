"""``python -m kanon_sql`` is ``kanon-sql``."""

from kanon_sql.cli import main

main()
