/* kanon: evaluate a batch */
WITH masks AS (
  SELECT
    UNNEST(CAST($ids AS BIGINT[])) AS id,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0,
    UNNEST(CAST($mask_1 AS BIGINT[])) AS mask_1
), entries AS NOT MATERIALIZED (
  SELECT
    m.id AS class,
    f.key_0 & m.mask_0 AS key_0,
    f.key_1 & m.mask_1 AS key_1,
    f.value_0,
    f.person,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), values_0 AS (
  SELECT
    e.class,
    e.key_0,
    e.key_1,
    e.value,
    e.n,
    e.row_count,
    t.total
  FROM (
    SELECT
      e.class,
      e.key_0,
      e.key_1,
      e.value_0 AS value,
      CASE WHEN NOT e.value_0 IS NULL THEN COUNT(DISTINCT e.person) END AS n,
      CAST(SUM(e.n) AS BIGINT) AS row_count
    FROM entries AS e
    GROUP BY
      e.class,
      e.key_0,
      e.key_1,
      e.value_0
  ) AS e
  LEFT JOIN (
    SELECT
      e.class,
      e.key_0,
      e.key_1,
      COUNT(DISTINCT e.person) AS total
    FROM entries AS e
    WHERE
      NOT e.value_0 IS NULL
    GROUP BY
      e.class,
      e.key_0,
      e.key_1
  ) AS t
    ON e.class IS NOT DISTINCT FROM t.class
    AND e.key_0 IS NOT DISTINCT FROM t.key_0
    AND e.key_1 IS NOT DISTINCT FROM t.key_1
), verdicts AS (
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS sure,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS general
  FROM entries AS v
  GROUP BY
    v.class,
    v.key_0,
    v.key_1
  UNION ALL
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    0 AS row_count,
    COALESCE(COUNT(v.n) < 3, TRUE) AS violating,
    COALESCE(COUNT(v.n) < 3, TRUE) AS sure,
    COALESCE(COUNT(v.n) < 3, TRUE) AS general
  FROM values_0 AS v
  GROUP BY
    v.class,
    v.key_0,
    v.key_1
  UNION ALL
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    0 AS row_count,
    COALESCE(
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total) / MAX(v.total) - 1 > 2 + 1e-9,
      TRUE
    ) AS violating,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
      TRUE
    ) AS sure,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
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
    v.class,
    v.key_0,
    v.key_1
), classes AS (
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 3 AS violating,
    BOOL_OR(CAST(v.sure AS BOOLEAN)) AS sure,
    BOOL_OR(CAST(v.general AS BOOLEAN)) AS general
  FROM verdicts AS v
  GROUP BY
    v.class,
    v.key_0,
    v.key_1
  HAVING
    SUM(v.row_count) > 0
)
SELECT
  class AS id,
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
  class
