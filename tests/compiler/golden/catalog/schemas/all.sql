/* kanon: schemas */
SELECT
  database_name AS catalog,
  schema_name AS schema
FROM DUCKDB_SCHEMAS()
ORDER BY
  1,
  2
