/* kanon: ground values of a hierarchy that clash in the column's type */
WITH typed AS (
  SELECT
    TRY_CAST(h."a""b" AS INT) AS fitted,
    CAST(h."a""b" AS TEXT) AS cell_0,
    CAST(h."select" AS TEXT) AS cell_1,
    CAST(h."it's" AS TEXT) AS cell_2
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
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
      FALSE OR MIN(cell_1) <> MAX(cell_1) OR MIN(cell_2) <> MAX(cell_2)
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
