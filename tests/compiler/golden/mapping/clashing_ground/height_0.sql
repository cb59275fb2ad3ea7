/* kanon: ground values that clash in the column's type */
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0,
    UNNEST(RANGE(0, CAST(JSON_ARRAY_LENGTH($level_0) AS BIGINT))) AS position
), typed AS (
  SELECT
    *,
    TRY_CAST(cell_0 AS TEXT) AS ground
  FROM cells
)
SELECT
  MIN(position) AS first_at,
  MAX(position) AS last_at
FROM typed
WHERE
  NOT ground IS NULL
GROUP BY
  ground
HAVING
  COUNT(*) > 1 AND (
    FALSE
  )
ORDER BY
  first_at
-- $level_0 = "[\"*\"]"
