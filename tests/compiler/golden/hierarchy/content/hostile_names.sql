/* kanon: content of a hierarchy */
WITH cells AS (
  SELECT
    CAST(h."a""b" AS TEXT) AS cell_0,
    CAST(h."select" AS TEXT) AS cell_1,
    CAST(h."it's" AS TEXT) AS cell_2
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
), row_hashes AS (
  SELECT
    SHA256(
      COALESCE(CAST(LENGTH(cell_0) AS TEXT) || ':' || cell_0, 'N') || COALESCE(CAST(LENGTH(cell_1) AS TEXT) || ':' || cell_1, 'N') || COALESCE(CAST(LENGTH(cell_2) AS TEXT) || ':' || cell_2, 'N')
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
      MIN(cell_2)
    FROM cells
  ) AS top,
  (
    SELECT
      SHA256(LISTAGG(bucket || bucket_hash, ''
      ORDER BY
        bucket))
    FROM buckets
  ) AS sha256
