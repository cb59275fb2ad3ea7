/* kanon: columns */
SELECT
  column_name AS name,
  data_type AS sql_type
FROM DUCKDB_COLUMNS()
WHERE
  database_name = $catalog AND schema_name = $schema AND table_name = $name
ORDER BY
  column_index
-- $catalog = "warehouse"
-- $schema = "main"
-- $name = "patients"
