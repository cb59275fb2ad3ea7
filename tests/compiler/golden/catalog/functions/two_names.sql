/* kanon: functions of the row filter */
SELECT DISTINCT
  function_name AS name,
  CASE WHEN function_type = 'macro' THEN 'macro' ELSE 'volatile' END AS reason
FROM DUCKDB_FUNCTIONS()
WHERE
  LOWER(function_name) IN (
    SELECT
      UNNEST(FROM_JSON($names, '["VARCHAR"]'))
  )
  AND (
    (
      function_type = 'macro' AND NOT internal
    )
    OR (
      function_type = 'scalar' AND stability <> 'CONSISTENT'
    )
  )
ORDER BY
  name
-- $names = "[\"upper\", \"now\"]"
