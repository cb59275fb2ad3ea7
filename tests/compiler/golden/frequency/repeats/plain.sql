/* kanon: repeats */
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  COUNT(*) AS tuples
FROM (
  SELECT
    COUNT(*) AS row_count
  FROM (
    SELECT
      "age" AS value_0,
      "zip" AS value_1
    FROM "warehouse"."main"."patients"
    LIMIT 50000
  ) AS s
  GROUP BY
    s.value_0,
    s.value_1
) AS t
