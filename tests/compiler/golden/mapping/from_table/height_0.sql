/* kanon: mapping table of country */
CREATE TABLE "kanon_map_country" AS
WITH typed AS (
  SELECT
    TRY_CAST(h."country" AS TEXT) AS ground,
    h."country" IS NULL AS ground_is_null
  FROM "warehouse"."main"."age_levels" AS h
), fitting AS (
  SELECT
    ground
  FROM typed
  WHERE
    NOT ground IS NULL OR ground_is_null
  GROUP BY
    ground
), complete AS (
  SELECT
    ground
  FROM fitting
  UNION ALL
  SELECT
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
  MAX(ground) OVER () AS level_0
FROM complete
