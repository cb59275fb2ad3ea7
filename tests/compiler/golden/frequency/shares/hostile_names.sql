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
    f.value_2,
    f.person,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), population AS NOT MATERIALIZED (
  SELECT
    m.id AS class,
    p.key_0 & m.mask_0 AS key_0,
    p.key_1 & m.mask_1 AS key_1,
    p.n
  FROM "popu""lation" AS p
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
), values_2 AS (
  SELECT
    e.class,
    e.key_0,
    e.key_1,
    e.value_2 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.class,
    e.key_0,
    e.key_1,
    e.value_2
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
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9,
      TRUE
    ) AS violating,
    FALSE AS sure,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9,
      TRUE
    ) AS general
  FROM (
    SELECT
      a.class,
      a.key_0,
      a.key_1,
      SUM(a.n) AS n,
      MAX(a.mass) AS mass,
      MAX(k.source_n) AS source_n,
      MAX(k.source_mass) AS source_mass,
      1 AS levels
    FROM (
      SELECT
        a.class,
        a.key_0,
        a.key_1,
        a.value,
        a.n,
        SUM(a.n) OVER (PARTITION BY a.class, a.key_0, a.key_1) AS mass
      FROM values_0 AS a
    ) AS a
    LEFT JOIN (
      SELECT
        b.value,
        t."level_0" AS node,
        b.mass AS source_mass,
        SUM(b.n) OVER (PARTITION BY t."level_0") AS source_n
      FROM "kanon_values_dia""gnosis" AS b
      JOIN "tax""; --" AS t
        ON b.ground IS NOT DISTINCT FROM t."level_0"
    ) AS k
      ON a.value IS NOT DISTINCT FROM k.value
    GROUP BY
      a.class,
      a.key_0,
      a.key_1,
      k.node
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
    FALSE AS violating,
    COALESCE(SUM(v.source_n / v.source_mass) FILTER(WHERE
      NOT v.n IS NULL) < 0.8 - 1e-6, TRUE) AS sure,
    COALESCE(SUM(v.source_n / v.source_mass) FILTER(WHERE
      NOT v.n IS NULL) < 0.8 - 1e-6, TRUE) AS general
  FROM (
    SELECT
      a.*,
      b.n AS source_n,
      b.mass AS source_mass,
      b.total AS source_total
    FROM values_0 AS a
    LEFT JOIN "kanon_values_dia""gnosis" AS b
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
        ROW_NUMBER() OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CASE CAST(b.ground AS TEXT)
            WHEN 'a"b'
            THEN 1
            WHEN 'select'
            THEN 2
            WHEN 'größe'
            THEN 3
            WHEN 'Marital Status'
            THEN 4
            WHEN 't"; drop table patients; --'
            THEN 5
          END AS place
        FROM "kanon_values_from" AS b
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
  UNION ALL
  SELECT
    v.class,
    v.key_0,
    v.key_1,
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
    FROM values_2 AS a
    LEFT JOIN "kanon_values_*/ drop table x; /*" AS b
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
    COALESCE(SUM(v.n) < 9, TRUE) AS violating,
    COALESCE(SUM(v.n) < 9, TRUE) AS sure,
    COALESCE(SUM(v.n) < 9, TRUE) AS general
  FROM (
    SELECT
      e.class,
      e.key_0,
      e.key_1,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.class,
      e.key_0,
      e.key_1
    UNION ALL
    SELECT
      e.class,
      e.key_0,
      e.key_1,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.class,
      e.key_0,
      e.key_1
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
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 6 AS violating,
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
    FROM "kanon_share_entries_re""gion" AS f
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
)
SELECT
  0 AS share,
  g.id,
  COUNT(*) FILTER(WHERE
    g.n > l.spare) AS exceeding,
  COUNT(*) FILTER(WHERE
    g.sure_n > l.spare) AS sure_exceeding
FROM gone_0 AS g
JOIN "kanon_share_limits_re""gion" AS l
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
JOIN "kanon_share_limits_region" AS l
  ON g.value = l.value AND l.spare >= 0
GROUP BY
  g.id
