/* kanon: repeated ground values of a hierarchy */
WITH repeated AS (
  SELECT
    h."age" AS ground,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."age_levels" AS h
  GROUP BY
    h."age"
  HAVING
    COUNT(*) > 1
)
SELECT
  CAST(ground AS TEXT) AS ground,
  row_count,
  COUNT(*) OVER () AS total
FROM repeated
ORDER BY
  row_count DESC,
  1
LIMIT $shown
-- $shown = 5
