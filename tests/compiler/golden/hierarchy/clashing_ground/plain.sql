/* kanon: ground values of a hierarchy that clash in the column's type */
WITH typed AS (
  SELECT
    TRY_CAST(h."age" AS INT) AS fitted,
    CAST(h."age" AS TEXT) AS cell_0,
    CAST(h."decade" AS TEXT) AS cell_1,
    CAST(h."adult" AS TEXT) AS cell_2,
    CAST(h."any" AS TEXT) AS cell_3
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
    COUNT(*) > 1
    AND (
      FALSE
      OR MIN(cell_1) <> MAX(cell_1)
      OR MIN(cell_2) <> MAX(cell_2)
      OR MIN(cell_3) <> MAX(cell_3)
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
