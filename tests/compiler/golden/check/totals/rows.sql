/* kanon: totals */
SELECT
  COUNT(*) AS row_count,
  CAST(0 AS BIGINT) AS persons,
  CAST(0 AS BIGINT) AS without_person
FROM "warehouse"."main"."patients"
