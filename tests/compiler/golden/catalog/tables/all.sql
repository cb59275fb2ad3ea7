/* kanon: tables */
SELECT
  database_name AS catalog,
  schema_name AS schema,
  table_name AS name,
  temporary,
  'table' AS kind
FROM DUCKDB_TABLES()
WHERE
  NOT internal
UNION ALL
SELECT
  database_name,
  schema_name,
  view_name,
  temporary,
  'view'
FROM DUCKDB_VIEWS()
WHERE
  NOT internal
ORDER BY
  1,
  2,
  3
