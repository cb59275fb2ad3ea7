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
    f.person,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.class
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
LEFT JOIN lost AS b
  ON a.id = b.id
