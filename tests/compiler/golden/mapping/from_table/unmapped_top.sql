/* kanon: mapping table of age */
CREATE TABLE "kanon_map_age" AS
WITH typed AS (
  SELECT
    h."age" AS ground,
    CAST(h."decade" AS TEXT) AS level_1,
    CAST(h."adult" AS TEXT) AS level_2,
    CAST(h."any" AS TEXT) AS level_3,
    h."age" IS NULL AS ground_is_null
  FROM "warehouse"."main"."age_levels" AS h
), fitting AS (
  SELECT
    MIN(level_1) AS level_1,
    MIN(level_2) AS level_2,
    MIN(level_3) AS level_3,
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
), complete AS (
  SELECT
    level_1,
    level_2,
    level_3,
    ground
  FROM fitting
  UNION ALL
  SELECT
    NULL,
    NULL,
    '*',
    NULL
  WHERE
    NOT EXISTS(
      SELECT
        1
      FROM fitting
      WHERE
        ground IS NULL
    )
)
SELECT
  ground,
  ground AS level_0,
  CAST(level_1 AS TEXT) AS level_1,
  CAST(level_2 AS TEXT) AS level_2,
  CAST(level_3 AS TEXT) AS level_3
FROM complete
