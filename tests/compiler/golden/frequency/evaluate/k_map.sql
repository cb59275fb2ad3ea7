/* kanon: evaluate a batch */
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
), population AS NOT MATERIALIZED (
  SELECT
    (
      p.key_0 & m.mask_0
    ) | m.id AS class,
    p.n
  FROM "kanon_population" AS p
  CROSS JOIN masks AS m
), verdicts AS (
  SELECT
    v.class,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(SUM(v.n) < 20, TRUE) AS violating
  FROM (
    SELECT
      e.class,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.class
    UNION ALL
    SELECT
      e.class,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.class
  ) AS v
  GROUP BY
    v.class
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 2 AS violating
  FROM verdicts AS v
  GROUP BY
    v.class
  HAVING
    SUM(v.row_count) > 0
)
SELECT
  class // 144115188075855872 AS id,
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    violating), 0) AS BIGINT) AS outliers,
  COUNT(*) FILTER(WHERE
    violating) AS violating_classes
FROM classes
GROUP BY
  class // 144115188075855872
