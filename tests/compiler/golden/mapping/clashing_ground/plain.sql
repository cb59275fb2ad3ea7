/* kanon: ground values that clash in the column's type */
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0,
    UNNEST(FROM_JSON($level_1, '["VARCHAR"]')) AS cell_1,
    UNNEST(FROM_JSON($level_2, '["VARCHAR"]')) AS cell_2,
    UNNEST(FROM_JSON($level_3, '["VARCHAR"]')) AS cell_3,
    UNNEST(RANGE(0, CAST(JSON_ARRAY_LENGTH($level_0) AS BIGINT))) AS position
), typed AS (
  SELECT
    *,
    TRY_CAST(cell_0 AS INT) AS ground
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
  COUNT(*) > 1
  AND (
    FALSE
    OR MIN(cell_1) <> MAX(cell_1)
    OR MIN(cell_2) <> MAX(cell_2)
    OR MIN(cell_3) <> MAX(cell_3)
  )
ORDER BY
  first_at
-- $level_0 = "[\"34\", \"007\"]"
-- $level_1 = "[\"30-39\", \"0-9\"]"
-- $level_2 = "[\"adult\", \"child\"]"
-- $level_3 = "[\"*\", \"*\"]"
