/* kanon: mapping table of country */
CREATE TABLE "kanon_map_country" AS
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0
), typed AS (
  SELECT
    TRY_CAST(cell_0 AS TEXT) AS ground,
    cell_0 IS NULL AS ground_is_null,
    cell_0
  FROM cells
), fitting AS (
  SELECT
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
  UNION ALL
  SELECT
    NULL AS ground
)
SELECT
  ground,
  MAX(ground) OVER () AS level_0
FROM fitting
-- $level_0 = "[\"*\"]"
