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
    f.value_0,
    f.value_1,
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
), values_1 AS (
  SELECT
    e.class,
    e.value_1 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.class,
    e.value_1
), verdicts AS (
  SELECT
    v.class,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE) AS violating
  FROM values_0 AS v
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
    ) AS violating
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
    ) AS violating
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
      FROM values_1 AS a
      GROUP BY
        a.class
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
      ON a.class IS NOT DISTINCT FROM c.class AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.class
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 3 AS violating
  FROM verdicts AS v
  GROUP BY
    v.class
  HAVING
    SUM(v.row_count) > 0
), sought AS (
  SELECT
    UNNEST(CAST($at AS BIGINT[])) AS id,
    UNNEST(CAST($qis AS BIGINT[])) AS qi,
    UNNEST(CAST($levels AS BIGINT[])) AS level,
    UNNEST(CAST($part_0 AS BIGINT[])) AS part_0
), gone AS (
  SELECT
    p.id,
    p.qi,
    p.level,
    c.class & p.part_0 AS code_0,
    SUM(c.row_count) AS n
  FROM classes AS c
  JOIN sought AS p
    ON p.id = c.class // 144115188075855872
  WHERE
    c.violating
  GROUP BY
    p.id,
    p.qi,
    p.level,
    c.class & p.part_0
), lost AS (
  SELECT
    g.id,
    g.qi,
    SUM(CAST(g.n AS DECIMAL(19, 0)) * CAST(l0.loss AS DECIMAL(19, 0))) AS lost_0
  FROM gone AS g
  JOIN "kanon_labels_0" AS l0
    ON l0.qi = g.qi AND l0.level = g.level AND l0.code_0 = g.code_0
  GROUP BY
    g.id,
    g.qi
), strays_0 AS (
  SELECT
    e.class // 144115188075855872 AS id,
    CAST(SUM(e.n) AS BIGINT) AS n
  FROM (
    SELECT
      (
        f.key_0 & m.mask_0
      ) | m.id AS class,
      f.n
    FROM "kanon_strays_0" AS f
    CROSS JOIN masks AS m
  ) AS e
  WHERE
    EXISTS(
      SELECT
        1
      FROM classes AS c
      WHERE
        c.violating AND c.class IS NOT DISTINCT FROM e.class
    )
  GROUP BY
    e.class // 144115188075855872
)
SELECT
  a.id,
  a.outliers,
  a.violating_classes,
  a.all_classes,
  a.squares,
  a.all_squares,
  t0.n AS strays_0,
  b.qi,
  b.lost_0
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
LEFT JOIN strays_0 AS t0
  ON a.id = t0.id
LEFT JOIN lost AS b
  ON a.id = b.id
