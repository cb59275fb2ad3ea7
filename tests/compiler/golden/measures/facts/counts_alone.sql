/* kanon: facts of a batch */
WITH masks AS (
  SELECT
    UNNEST(CAST($ids AS BIGINT[])) AS id,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0
), entries AS NOT MATERIALIZED (
  SELECT
    (
      f.key_0 & m.mask_0
    ) | m.id AS class,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.class
)
SELECT
  a.id,
  a.outliers,
  a.violating_classes,
  a.all_classes,
  a.squares,
  a.all_squares
FROM (
  SELECT
    c.class // 144115188075855872 AS id,
    CAST(COALESCE(SUM(row_count) FILTER(WHERE
      violating), 0) AS BIGINT) AS outliers,
    COUNT(*) FILTER(WHERE
      violating) AS violating_classes,
    COUNT(*) AS all_classes,
    SUM(CAST(row_count AS DECIMAL(19, 0)) * CAST(row_count AS DECIMAL(19, 0))) FILTER(WHERE
      NOT violating) AS squares,
    SUM(CAST(row_count AS DECIMAL(19, 0)) * CAST(row_count AS DECIMAL(19, 0))) AS all_squares
  FROM classes AS c
  GROUP BY
    c.class // 144115188075855872
) AS a
