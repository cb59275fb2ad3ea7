/* kanon: shares of a batch */
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
    f.value_1,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), values_0 AS (
  SELECT
    e.class,
    e.key_0,
    e.key_1,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.class,
    e.key_0,
    e.key_1,
    e.value_0
), values_1 AS (
  SELECT
    e.class,
    e.key_0,
    e.key_1,
    e.value_1 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.class,
    e.key_0,
    e.key_1,
    e.value_1
), verdicts AS (
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE) AS violating,
    COALESCE(SUM(v.row_count) < 5, TRUE) OR COALESCE(COUNT(v.n) < 3, TRUE) AS sure,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE)
    OR COALESCE(COUNT(v.n) < 3, TRUE) AS general
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
      a.key_0,
      a.key_1,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.class, a.key_0, a.key_1) AS mass,
      b.n AS source_n,
      b.mass AS source_mass
    FROM values_0 AS a
    LEFT JOIN "kanon_values_diagnosis" AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
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
      c.key_0,
      c.key_1,
      c.mass,
      r.weight,
      r.source_upto,
      r.source_mass,
      SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.class, c.key_0, c.key_1 ORDER BY r.rank ASC) AS upto
    FROM (
      SELECT
        a.class,
        a.key_0,
        a.key_1,
        SUM(a.n) AS mass
      FROM values_1 AS a
      GROUP BY
        a.class,
        a.key_0,
        a.key_1
    ) AS c
    CROSS JOIN (
      SELECT
        o.value,
        o.mass AS source_mass,
        ROW_NUMBER() OVER (ORDER BY o.place IS NULL ASC, o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY o.place IS NULL ASC, o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CASE CAST(b.ground AS TEXT)
            WHEN 'mild'
            THEN 1
            WHEN 'it''s; bad'
            THEN 2
            WHEN 'the "worst"'
            THEN 3
          END AS place
        FROM "kanon_values_severity" AS b
      ) AS o
    ) AS r
    LEFT JOIN values_1 AS a
      ON a.class IS NOT DISTINCT FROM c.class
      AND a.key_0 IS NOT DISTINCT FROM c.key_0
      AND a.key_1 IS NOT DISTINCT FROM c.key_1
      AND a.value IS NOT DISTINCT FROM r.value
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
), violating AS (
  SELECT
    c.class,
    c.key_0,
    c.key_1,
    c.sure
  FROM classes AS c
  WHERE
    c.violating
), gone_0 AS (
  SELECT
    e.class AS id,
    e.value_0 AS value,
    SUM(e.n) AS n,
    COALESCE(SUM(e.n) FILTER(WHERE
      c.sure), 0) AS sure_n
  FROM (
    SELECT
      m.id AS class,
      f.key_0 & m.mask_0 AS key_0,
      f.key_1 & m.mask_1 AS key_1,
      f.value_0,
      f.n
    FROM "kanon_share_entries_region" AS f
    CROSS JOIN masks AS m
  ) AS e
  JOIN violating AS c
    ON c.class IS NOT DISTINCT FROM e.class
    AND c.key_0 IS NOT DISTINCT FROM e.key_0
    AND c.key_1 IS NOT DISTINCT FROM e.key_1
  GROUP BY
    e.class,
    e.value_0
), gone_1 AS (
  SELECT
    e.class AS id,
    e.value_0 AS value,
    SUM(e.n) AS n,
    COALESCE(SUM(e.n) FILTER(WHERE
      c.sure), 0) AS sure_n
  FROM (
    SELECT
      m.id AS class,
      f.key_0 & m.mask_0 AS key_0,
      f.key_1 & m.mask_1 AS key_1,
      f.value_0,
      f.n
    FROM "kanon_share_entries_weight" AS f
    CROSS JOIN masks AS m
  ) AS e
  JOIN violating AS c
    ON c.class IS NOT DISTINCT FROM e.class
    AND c.key_0 IS NOT DISTINCT FROM e.key_0
    AND c.key_1 IS NOT DISTINCT FROM e.key_1
  GROUP BY
    e.class,
    e.value_0
)
SELECT
  0 AS share,
  g.id,
  COUNT(*) FILTER(WHERE
    g.n > l.spare) AS exceeding,
  COUNT(*) FILTER(WHERE
    g.sure_n > l.spare) AS sure_exceeding
FROM gone_0 AS g
JOIN "kanon_share_limits_region" AS l
  ON g.value = l.value AND l.spare >= 0
GROUP BY
  g.id
UNION ALL
SELECT
  1 AS share,
  g.id,
  COUNT(*) FILTER(WHERE
    g.n > l.spare) AS exceeding,
  COUNT(*) FILTER(WHERE
    g.sure_n > l.spare) AS sure_exceeding
FROM gone_1 AS g
JOIN "kanon_share_limits_weight" AS l
  ON g.value = l.value AND l.spare >= 0
GROUP BY
  g.id
