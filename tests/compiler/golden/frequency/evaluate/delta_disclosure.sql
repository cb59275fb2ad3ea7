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
    f.value_0,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), values_0 AS (
  SELECT
    e.class,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.class,
    e.value_0
), verdicts AS (
  SELECT
    v.class,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating,
    COALESCE(SUM(v.n) < 5, TRUE) AS sure,
    COALESCE(SUM(v.n) < 5, TRUE) AS general
  FROM entries AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(
      CASE
        WHEN COUNT(v.source_n) = COUNT(v.n)
        THEN GREATEST(
          LN(MAX(v.n / v.source_n * v.source_total)) - LN(SUM(v.n)),
          LN(SUM(v.n)) - LN(MIN(v.n / v.source_n * v.source_total))
        )
      END >= 1.5 - 1e-9,
      TRUE
    ) AS violating,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.22313016014842982 - 1e-6,
      TRUE
    ) AS sure,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.22313016014842982 - 1e-6,
      TRUE
    ) AS general
  FROM (
    SELECT
      a.*,
      b.n AS source_n,
      b.mass AS source_mass,
      b.total AS source_total
    FROM values_0 AS a
    LEFT JOIN "kanon_values_diagnosis" AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.class
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 2 AS violating,
    BOOL_OR(CAST(v.sure AS BOOLEAN)) AS sure,
    BOOL_OR(CAST(v.general AS BOOLEAN)) AS general
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
    violating) AS violating_classes,
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    sure), 0) AS BIGINT) AS sure_outliers,
  COUNT(*) FILTER(WHERE
    general) AS general_classes
FROM classes
GROUP BY
  class // 144115188075855872
