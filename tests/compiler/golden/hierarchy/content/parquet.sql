/* kanon: content of a hierarchy */
WITH cells AS (
  SELECT
    CASE
      WHEN ISFINITE(h."at")
      THEN CAST(h."at" AT TIME ZONE 'UTC' AS TEXT) || '+00'
      ELSE CAST(h."at" AS TEXT)
    END AS cell_0,
    CAST(h."any" AS TEXT) AS cell_1
  FROM READ_PARQUET('it''s.parquet', hive_partitioning = FALSE) AS h
), row_hashes AS (
  SELECT
    SHA256(
      COALESCE(CAST(LENGTH(cell_0) AS TEXT) || ':' || cell_0, 'N') || COALESCE(CAST(LENGTH(cell_1) AS TEXT) || ':' || cell_1, 'N')
    ) AS row_hash
  FROM cells
), buckets AS (
  SELECT
    LEFT(row_hash, 3) AS bucket,
    SHA256(LISTAGG(row_hash, ''
    ORDER BY
      row_hash)) AS bucket_hash
  FROM row_hashes
  GROUP BY
    LEFT(row_hash, 3)
)
SELECT
  (
    SELECT
      COUNT(*)
    FROM cells
  ) AS row_count,
  (
    SELECT
      MIN(cell_1)
    FROM cells
  ) AS top,
  (
    SELECT
      SHA256(LISTAGG(bucket || bucket_hash, ''
      ORDER BY
        bucket))
    FROM buckets
  ) AS sha256
