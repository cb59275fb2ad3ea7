/* kanon: ground values of a hierarchy that the column cannot hold */
WITH ground_values AS (
  SELECT
    CAST(h."age" AS TEXT) AS ground,
    TRY_CAST(h."age" AS INT) IS NULL AS unfit
  FROM "warehouse"."main"."age_levels" AS h
  WHERE
    NOT h."age" IS NULL
)
SELECT
  ground,
  COUNT(*) OVER () AS total,
  (
    SELECT
      COUNT(*)
    FROM ground_values
  ) AS ground_values
FROM ground_values
WHERE
  unfit
ORDER BY
  ground
LIMIT $shown
-- $shown = 5
