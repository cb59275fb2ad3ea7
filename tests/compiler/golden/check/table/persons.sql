/* kanon: class sizes of patients */
WITH classes AS (
  SELECT
    COUNT(*) AS row_count,
    COUNT(DISTINCT "patient_id") AS size
  FROM "warehouse"."main"."patients"
  GROUP BY
    "age",
    "zip"
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
