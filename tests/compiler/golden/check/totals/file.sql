/* kanon: totals */
SELECT
  COUNT(*) AS row_count,
  COUNT(DISTINCT "patient_id") AS persons,
  COUNT(*) - COUNT("patient_id") AS without_person
FROM READ_PARQUET('data/it''s/*.parquet', hive_partitioning = FALSE)
WHERE
  admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
