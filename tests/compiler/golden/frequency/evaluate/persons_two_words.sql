/* kanon: evaluate a batch */
WITH masks AS (
  SELECT
    UNNEST(CAST($ids AS BIGINT[])) AS id,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0,
    UNNEST(CAST($mask_1 AS BIGINT[])) AS mask_1
), classes AS (
  SELECT
    m.id AS class,
    CAST(SUM(f.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT f.person) < 5, TRUE) AS violating
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
  GROUP BY
    m.id,
    f.key_0 & m.mask_0,
    f.key_1 & m.mask_1
)
SELECT
  class AS id,
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    violating), 0) AS BIGINT) AS outliers,
  COUNT(*) FILTER(WHERE
    violating) AS violating_classes
FROM classes
GROUP BY
  class
