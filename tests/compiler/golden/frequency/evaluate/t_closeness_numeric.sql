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
        ROW_NUMBER() OVER (ORDER BY o.ground ASC) AS rank,
        SUM(o.n) OVER (ORDER BY o.ground ASC) AS source_upto,
        COALESCE(
          (
            LEAD(o.place) OVER (ORDER BY o.ground ASC) - o.place
          ) / NULLIF(MAX(o.place) OVER (), 0),
          0
        ) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CAST(b.ground - MIN(b.ground) OVER () AS DOUBLE) AS place
        FROM "kanon_values_born" AS b
      ) AS o
    ) AS r
    LEFT JOIN values_0 AS a
      ON a.class IS NOT DISTINCT FROM c.class AND a.value IS NOT DISTINCT FROM r.value
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
