/* kanon: mapping table of t”; drop table patients; -- */
CREATE TABLE "kanon_map_t""; drop table patients; --" AS
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($level_0, '["VARCHAR"]')) AS cell_0,
    UNNEST(FROM_JSON($level_1, '["VARCHAR"]')) AS cell_1,
    UNNEST(FROM_JSON($level_2, '["VARCHAR"]')) AS cell_2
), typed AS (
  SELECT
    TRY_CAST(cell_0 AS TEXT) AS ground,
    cell_0 IS NULL AS ground_is_null,
    cell_0,
    cell_1,
    cell_2
  FROM cells
), fitting AS (
  SELECT
    MIN(cell_1) AS level_1,
    MIN(cell_2) AS level_2,
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
)
SELECT
  ground AS level_0,
  CAST(level_1 AS TEXT) AS level_1,
  CAST(level_2 AS TEXT) AS level_2
FROM fitting
-- $level_0 = "[\"02138\", \"02139\", null, \"\"]"
-- $level_1 = "[\"0213*\", \"0213*\", \"unknown\", \"none\"]"
-- $level_2 = "[\"*\", \"*\", \"*\", \"*\"]"
