/* kanon: try the row filter */
SELECT
  1 AS bound
FROM "warehouse"."main"."patients"
WHERE
  admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
LIMIT 0
