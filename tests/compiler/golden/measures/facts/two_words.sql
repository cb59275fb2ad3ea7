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
), classes AS (
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
    SUM(CAST(g.n AS DECIMAL(19, 0)) * CAST(l0.loss AS DECIMAL(19, 0))) AS lost_0,
    SUM(CAST(g.n AS DECIMAL(19, 0)) * CAST(l1.loss AS DECIMAL(19, 0))) AS lost_1
  FROM gone AS g
  JOIN "kanon_labels_0" AS l0
    ON l0.qi = g.qi
    AND l0.level = g.level
    AND l0.code_0 = g.code_0
    AND l0.code_1 = g.code_1
  JOIN "kanon_labels_1" AS l1
    ON l1.qi = g.qi
    AND l1.level = g.level
    AND l1.code_0 = g.code_0
    AND l1.code_1 = g.code_1
  GROUP BY
    g.id,
    g.qi
), strays_0 AS (
  SELECT
    e.class AS id,
    CAST(SUM(e.n) AS BIGINT) AS n
  FROM (
    SELECT
      m.id AS class,
      f.key_0 & m.mask_0 AS key_0,
      f.key_1 & m.mask_1 AS key_1,
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
        c.violating
        AND c.class IS NOT DISTINCT FROM e.class
        AND c.key_0 IS NOT DISTINCT FROM e.key_0
        AND c.key_1 IS NOT DISTINCT FROM e.key_1
    )
  GROUP BY
    e.class
), strays_1 AS (
  SELECT
    e.class AS id,
    CAST(SUM(e.n) AS BIGINT) AS n
  FROM (
    SELECT
      m.id AS class,
      f.key_0 & m.mask_0 AS key_0,
      f.key_1 & m.mask_1 AS key_1,
      f.n
    FROM "kanon_strays_1" AS f
    CROSS JOIN masks AS m
  ) AS e
  WHERE
    EXISTS(
      SELECT
        1
      FROM classes AS c
      WHERE
        c.violating
        AND c.class IS NOT DISTINCT FROM e.class
        AND c.key_0 IS NOT DISTINCT FROM e.key_0
        AND c.key_1 IS NOT DISTINCT FROM e.key_1
    )
  GROUP BY
    e.class
)
SELECT
  a.id,
  a.outliers,
  a.violating_classes,
  a.all_classes,
  a.squares,
  a.all_squares,
  t0.n AS strays_0,
  t1.n AS strays_1,
  b.qi,
  b.lost_0,
  b.lost_1
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
LEFT JOIN strays_0 AS t0
  ON a.id = t0.id
LEFT JOIN strays_1 AS t1
  ON a.id = t1.id
LEFT JOIN lost AS b
  ON a.id = b.id
