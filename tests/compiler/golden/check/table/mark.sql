/* kanon: class sizes of patients */
WITH classes AS (
  SELECT
    COUNT(*) AS row_count,
    COUNT(*) AS size
  FROM "warehouse"."main"."patients"
  GROUP BY
    "age",
    "zip"
  HAVING
    NOT COALESCE(CAST("age" AS TEXT) = 'it''s *' AND CAST("zip" AS TEXT) = 'it''s *', FALSE)
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
