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
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(COUNT(v.n) < 3, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE)
    OR COALESCE(MAX(v.n) / SUM(v.n) > 0.5 + 1e-9, TRUE) AS violating,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(COUNT(v.n) < 3, TRUE)
    OR COALESCE(COUNT(v.n) < 2, TRUE) AS sure,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(COUNT(v.n) < 3, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE)
    OR COALESCE(COUNT(v.n) < 2, TRUE)
    OR COALESCE(MAX(v.n) / SUM(v.n) > 0.5 + 1e-9, TRUE) AS general
  FROM values_0 AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(MAX(v.n) / SUM(v.n) FILTER(WHERE
      v.place >= 2) >= 3 * (
      1 - 1e-9
    ), TRUE) AS violating,
    FALSE AS sure,
    COALESCE(MAX(v.n) / SUM(v.n) FILTER(WHERE
      v.place >= 2) >= 3 * (
      1 - 1e-9
    ), TRUE) AS general
  FROM (
    SELECT
      a.class,
      a.n,
      ROW_NUMBER() OVER (PARTITION BY a.class ORDER BY COALESCE(a.n, 0) DESC) AS place
    FROM values_0 AS a
  ) AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) > 0.2 + 1e-9,
      TRUE
    ) AS violating,
    COALESCE(SUM(v.source_n / v.source_mass) FILTER(WHERE
      NOT v.n IS NULL) < 0.8 - 1e-6, TRUE) AS sure,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) > 0.2 + 1e-9,
      TRUE
    )
    OR COALESCE(SUM(v.source_n / v.source_mass) FILTER(WHERE
      NOT v.n IS NULL) < 0.8 - 1e-6, TRUE) AS general
  FROM (
    SELECT
      a.class,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.class) AS mass,
      b.n AS source_n,
      b.mass AS source_mass
    FROM values_0 AS a
    LEFT JOIN "kanon_values_diagnosis" AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(
      SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9,
      TRUE
    ) AS violating,
    FALSE AS sure,
    COALESCE(
      SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9,
      TRUE
    ) AS general
  FROM (
    SELECT
      c.class,
      c.mass,
      r.weight,
      r.source_upto,
      r.source_mass,
      SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.class ORDER BY r.rank ASC) AS upto
    FROM (
      SELECT
        a.class,
        SUM(a.n) AS mass
      FROM values_0 AS a
      GROUP BY
        a.class
    ) AS c
    CROSS JOIN (
      SELECT
        o.value,
        o.mass AS source_mass,
        ROW_NUMBER() OVER (ORDER BY o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          b.ground AS place
        FROM "kanon_values_diagnosis" AS b
      ) AS o
    ) AS r
    LEFT JOIN values_0 AS a
      ON a.class IS NOT DISTINCT FROM c.class AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(
      COUNT(v.n) = 0
      OR COALESCE(MAX(v.n / NULLIF(v.largest, 0)), 0) / SUM(v.n) > 1 + 1e-9
      OR BOOL_OR(CAST(COALESCE(v.largest = 0 AND NOT v.n IS NULL, FALSE) AS BOOLEAN)),
      TRUE
    ) AS violating,
    FALSE AS sure,
    COALESCE(
      COUNT(v.n) = 0
      OR COALESCE(MAX(v.n / NULLIF(v.largest, 0)), 0) / SUM(v.n) > 1 + 1e-9
      OR BOOL_OR(CAST(COALESCE(v.largest = 0 AND NOT v.n IS NULL, FALSE) AS BOOLEAN)),
      TRUE
    ) AS general
  FROM (
    SELECT
      a.*,
      CASE CAST(b.ground AS TEXT)
        WHEN 'HIV'
        THEN 0.2
        WHEN 'it''s */ drop table x; --'
        THEN 0
      END AS largest
    FROM values_0 AS a
    LEFT JOIN "kanon_values_diagnosis" AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.class
  UNION ALL
  SELECT
    v.class,
    0 AS row_count,
    COALESCE(
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1 > 2 + 1e-9,
      TRUE
    )
    OR COALESCE(
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total / (
        1 - LN(v.source_n / v.source_total)
      )) / SUM(v.n) > 1 + 1e-9
      OR MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1 > 2 + 1e-9,
      TRUE
    )
    OR COALESCE(
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
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
      TRUE
    )
    OR COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.22313016014842982 - 1e-6,
      TRUE
    ) AS sure,
    COALESCE(
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1 > 2 + 1e-9,
      TRUE
    )
    OR COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
      TRUE
    )
    OR COALESCE(
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total / (
        1 - LN(v.source_n / v.source_total)
      )) / SUM(v.n) > 1 + 1e-9
      OR MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1 > 2 + 1e-9,
      TRUE
    )
    OR COALESCE(
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
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 6 AS violating,
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
