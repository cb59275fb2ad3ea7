/* kanon: collations */
SELECT
  CAST(CURRENT_SETTING('default_collation') AS TEXT) AS default_collation,
  (
    SELECT
      MAX(sql)
    FROM DUCKDB_TABLES()
    WHERE
      table_name = $name
  ) AS definition
-- $name = "kanon_collations"
