/* kanon: size of the frequency set */
SELECT
  CAST(COALESCE(SUM(n), 0) AS BIGINT) AS row_count,
  COUNT(*) AS entries
FROM "fre""quency"
