/* kanon: mapping table of weight */
CREATE TABLE "kanon_map_weight" AS
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0,
    UNNEST(FROM_JSON($level_1, '["VARCHAR"]')) AS cell_1
), typed AS (
  SELECT
    CASE
      WHEN ISNAN(TRY_CAST(cell_0 AS DOUBLE))
      THEN CAST('nan' AS DOUBLE)
      WHEN TRY_CAST(cell_0 AS DOUBLE) = 0
      THEN CAST(0 AS DOUBLE)
      ELSE TRY_CAST(cell_0 AS DOUBLE)
    END AS ground,
    cell_0 IS NULL AS ground_is_null,
    cell_0,
    cell_1
  FROM cells
), fitting AS (
  SELECT
    MIN(cell_1) AS level_1,
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
  UNION ALL
  SELECT
    '*' AS level_1,
    NULL AS ground
)
SELECT
  ground AS level_0,
  CAST(level_1 AS TEXT) AS level_1
FROM fitting
-- $level_0 = "[\"-0.0\"]"
-- $level_1 = "[\"*\"]"
