/* kanon: blank cells of a hierarchy */
WITH blanks AS (
  SELECT
    CAST(h."a""b" AS TEXT) AS ground
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
  WHERE
    COALESCE(REGEXP_FULL_MATCH(CAST(h."select" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
)
SELECT
  ground,
  COUNT(*) OVER () AS total
FROM blanks
ORDER BY
  ground
LIMIT $shown
-- $shown = 5
