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
  AND TRY_CAST(fitted AS DOUBLE) IS DISTINCT FROM original
ORDER BY
  ground
LIMIT $shown
-- $after = ""
-- $shown = 1
