/* kanon: ground values of a hierarchy that the column's type changes */
WITH typed AS (
  SELECT
    h."age" AS original,
    CAST(h."age" AS TEXT) AS ground,
    TRY_CAST(h."age" AS INT) AS fitted
  FROM "warehouse"."main"."age_levels" AS h
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
-- $after = "100"
-- $shown = 1000
