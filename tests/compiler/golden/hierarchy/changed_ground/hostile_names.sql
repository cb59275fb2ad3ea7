/* kanon: ground values of a hierarchy that the column's type changes */
WITH typed AS (
  SELECT
    h."a""b" AS original,
    CAST(h."a""b" AS TEXT) AS ground,
    TRY_CAST(h."a""b" AS TEXT) AS fitted
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
)
SELECT
  ground,
  CAST(fitted AS TEXT) AS cast_text
FROM typed
WHERE
  NOT fitted IS NULL
  AND ground > $after
  AND REGEXP_REPLACE(ground, '^\+?(-?)0*([0-9]+)(\.[0-9]*[1-9])?\.?0*$', '\1\2\3') <> REGEXP_REPLACE(CAST(fitted AS TEXT), '^\+?(-?)0*([0-9]+)(\.[0-9]*[1-9])?\.?0*$', '\1\2\3')
ORDER BY
  ground
LIMIT $shown
-- $after = "it's"
-- $shown = 5
