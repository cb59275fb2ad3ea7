/* kanon: totals */
SELECT
  COUNT(*) AS row_count,
  CAST(0 AS BIGINT) AS persons,
  CAST(0 AS BIGINT) AS without_person
FROM "warehouse"."main"."patients"
WHERE
  admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
