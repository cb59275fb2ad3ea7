/* kanon: functions of the row filter */
WITH known AS (
  SELECT
    LOWER(function_name) AS name,
    BOOL_OR(CAST(function_type = 'macro' AND NOT internal AS BOOLEAN)) AS own_macro,
    BOOL_OR(
      CAST(function_type = 'macro'
      AND REGEXP_MATCHES(
        LOWER(macro_definition),
        'current_|now\(|today\(|random|uuid|getvariable|get_current|nextval|currval|age\('
      ) AS BOOLEAN)
    ) AS changing_macro,
    BOOL_OR(CAST(function_type = 'scalar' AND stability = 'VOLATILE' AS BOOLEAN)) AS volatile,
    BOOL_OR(CAST(function_type = 'scalar' AS BOOLEAN))
    AND NOT BOOL_OR(CAST(function_type = 'scalar' AND stability = 'CONSISTENT' AS BOOLEAN)) AS never_consistent
  FROM DUCKDB_FUNCTIONS()
  WHERE
    LOWER(function_name) IN (
      SELECT
        UNNEST(FROM_JSON($names, '["VARCHAR"]'))
    )
  GROUP BY
    LOWER(function_name)
)
SELECT
  name,
  CASE WHEN own_macro THEN 'macro' ELSE 'volatile' END AS reason
FROM known
WHERE
  own_macro OR changing_macro OR volatile OR never_consistent
ORDER BY
  name
-- $names = "[\"upper\", \"now\"]"
