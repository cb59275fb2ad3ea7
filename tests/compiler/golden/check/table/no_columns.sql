/* kanon: class sizes of patients */
WITH classes AS (
  SELECT
    COUNT(*) AS row_count,
    COUNT(*) AS size
  FROM "warehouse"."main"."patients"
  WHERE
    admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  HAVING
    COUNT(*) > 0
)
SELECT
  size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM classes
GROUP BY
  size
ORDER BY
  size
