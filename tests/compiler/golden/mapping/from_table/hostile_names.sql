/* kanon: mapping table of t”; drop table patients; -- */
CREATE TABLE "kanon_map_t""; drop table patients; --" AS
WITH typed AS (
  SELECT
    TRY_CAST(h."a""b" AS TEXT) AS ground,
    CAST(h."select" AS TEXT) AS level_1,
    CAST(h."it's" AS TEXT) AS level_2,
    h."a""b" IS NULL AS ground_is_null
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
), fitting AS (
  SELECT
    MIN(level_1) AS level_1,
    MIN(level_2) AS level_2,
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
    ground
  FROM fitting
  UNION ALL
  SELECT
    NULL,
    'it''s "*"',
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
  ground AS level_0,
  CAST(level_1 AS TEXT) AS level_1,
  CAST(level_2 AS TEXT) AS level_2
FROM complete
