/* kanon: mapping table of age */
CREATE TEMPORARY TABLE "kanon_map_age" AS
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0,
    UNNEST(FROM_JSON($level_1, '["VARCHAR"]')) AS cell_1,
    UNNEST(FROM_JSON($level_2, '["VARCHAR"]')) AS cell_2,
    UNNEST(FROM_JSON($level_3, '["VARCHAR"]')) AS cell_3
), typed AS (
  SELECT
    TRY_CAST(cell_0 AS INT) AS ground,
    cell_0 IS NULL AS ground_is_null,
    cell_0,
    cell_1,
    cell_2,
    cell_3
  FROM cells
), fitting AS (
  SELECT
    MIN(cell_1) AS level_1,
    MIN(cell_2) AS level_2,
    MIN(cell_3) AS level_3,
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
  UNION ALL
  SELECT
    NULL AS level_1,
    NULL AS level_2,
    '*' AS level_3,
    NULL AS ground
)
SELECT
  ground AS level_0,
  CAST(level_1 AS TEXT) AS level_1,
  CAST(level_2 AS TEXT) AS level_2,
  CAST(level_3 AS TEXT) AS level_3
FROM fitting
-- $level_0 = "[\"34\", \"007\"]"
-- $level_1 = "[\"30-39\", \"0-9\"]"
-- $level_2 = "[\"adult\", \"child\"]"
-- $level_3 = "[\"*\", \"*\"]"
