/* kanon: class sizes of *.parquet */
WITH classes AS (
  SELECT
    COUNT(*) AS row_count,
    COUNT(DISTINCT "patient_id") AS size
  FROM READ_PARQUET('data/it''s/*.parquet', hive_partitioning = FALSE)
  WHERE
    admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
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
