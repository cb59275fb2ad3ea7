/* kanon: facts of a batch */
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
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), population AS NOT MATERIALIZED (
  SELECT
    m.id AS class,
    p.key_0 & m.mask_0 AS key_0,
    p.key_1 & m.mask_1 AS key_1,
    p.n
  FROM "kanon_population" AS p
  CROSS JOIN masks AS m
), verdicts AS (
  SELECT
    v.class,
    v.key_0,
    v.key_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
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
    COALESCE(SUM(v.n) < 20, TRUE) AS violating
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
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 2 AS violating
  FROM verdicts AS v
  GROUP BY
    v.class,
    v.key_0,
    v.key_1
  HAVING
    SUM(v.row_count) > 0
), sought AS (
  SELECT
    UNNEST(CAST($at AS BIGINT[])) AS id,
    UNNEST(CAST($qis AS BIGINT[])) AS qi,
    UNNEST(CAST($levels AS BIGINT[])) AS level,
    UNNEST(CAST($part_0 AS BIGINT[])) AS part_0,
    UNNEST(CAST($part_1 AS BIGINT[])) AS part_1
), gone AS (
  SELECT
    p.id,
    p.qi,
    p.level,
    c.key_0 & p.part_0 AS code_0,
    c.key_1 & p.part_1 AS code_1,
    SUM(c.row_count) AS n
  FROM classes AS c
  JOIN sought AS p
    ON p.id = c.class
  WHERE
    c.violating
  GROUP BY
    p.id,
    p.qi,
    p.level,
    c.key_0 & p.part_0,
    c.key_1 & p.part_1
), lost AS (
  SELECT
    g.id,
    g.qi,
    SUM(CAST(g.n AS DECIMAL(19, 0)) * CAST(l0.loss AS DECIMAL(19, 0))) AS lost_0
  FROM gone AS g
  JOIN "kanon_labels_0" AS l0
    ON l0.qi = g.qi
    AND l0.level = g.level
    AND l0.code_0 = g.code_0
    AND l0.code_1 = g.code_1
  GROUP BY
    g.id,
    g.qi
)
SELECT
  a.id,
  a.outliers,
  a.violating_classes,
  a.all_classes,
  a.squares,
  a.all_squares,
  b.qi,
  b.lost_0
FROM (
  SELECT
    c.class AS id,
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
    c.class
) AS a
LEFT JOIN lost AS b
  ON a.id = b.id
