/* kanon: distinct values */
SELECT
  COUNT(DISTINCT "age") AS distinct_0
FROM "warehouse"."main"."patients"
WHERE
  admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
