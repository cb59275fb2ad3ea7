/* kanon: content of a hierarchy */
WITH cells AS (
  SELECT
    CAST(h."age" AS TEXT) AS cell_0,
    CAST(h."decade" AS TEXT) AS cell_1,
    CAST(h."adult" AS TEXT) AS cell_2,
    CAST(h."any" AS TEXT) AS cell_3
  FROM "warehouse"."main"."age_levels" AS h
), row_hashes AS (
  SELECT
    SHA256(
      COALESCE(CAST(LENGTH(cell_0) AS TEXT) || ':' || cell_0, 'N') || COALESCE(CAST(LENGTH(cell_1) AS TEXT) || ':' || cell_1, 'N') || COALESCE(CAST(LENGTH(cell_2) AS TEXT) || ':' || cell_2, 'N') || COALESCE(CAST(LENGTH(cell_3) AS TEXT) || ':' || cell_3, 'N')
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
      MIN(cell_3)
    FROM cells
  ) AS top,
  (
    SELECT
      SHA256(LISTAGG(bucket || bucket_hash, ''
      ORDER BY
        bucket))
    FROM buckets
  ) AS sha256
