/* kanon: repeats */
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  COUNT(*) AS tuples
FROM (
  SELECT
    COUNT(*) AS row_count
  FROM (
    SELECT
      "age",
      "zip"
    FROM "warehouse"."main"."patients"
    LIMIT 50000
  ) AS s
  GROUP BY
    s."age",
    s."zip"
) AS t
