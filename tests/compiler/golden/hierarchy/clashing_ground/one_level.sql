/* kanon: ground values of a hierarchy that clash in the column's type */
WITH typed AS (
  SELECT
    TRY_CAST(h."country" AS INT) AS fitted,
    CAST(h."country" AS TEXT) AS cell_0
  FROM "warehouse"."main"."age_levels" AS h
), clashes AS (
  SELECT
    MIN(cell_0) AS ground,
    MAX(cell_0) AS other_ground
  FROM typed
  WHERE
    NOT fitted IS NULL
  GROUP BY
    fitted
  HAVING
    COUNT(*) > 1 AND (
      FALSE
    )
)
SELECT
  ground,
  other_ground,
  COUNT(*) OVER () AS total
FROM clashes
ORDER BY
  ground
LIMIT $shown
-- $shown = 5
