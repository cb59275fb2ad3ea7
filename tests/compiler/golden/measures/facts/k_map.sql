/* kanon: facts of a batch */
WITH masks AS (
  SELECT
    UNNEST(CAST($ids AS BIGINT[])) AS id,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0,
    UNNEST(CAST($mask_1 AS BIGINT[])) AS mask_1,
    UNNEST(CAST($level_0 AS BIGINT[])) AS level_0
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
), lost AS (
  SELECT
    m.id // 1 AS id,
    SUM(CAST(c.row_count AS DECIMAL(19, 0)) * CAST(l0.loss AS DECIMAL(19, 0))) AS lost_0
  FROM classes AS c
  JOIN masks AS m
    ON m.id // 1 = class
  JOIN "kanon_labels_0" AS l0
    ON l0.level = m.level_0 AND l0.code_0 = c.key_0 & CAST(15 AS BIGINT)
  WHERE
    c.violating
  GROUP BY
    m.id
)
SELECT
  a.id,
  a.outliers,
  a.violating_classes,
  a.all_classes,
  a.squares,
  a.all_squares,
  b.lost_0
FROM (
  SELECT
    class AS id,
    CAST(COALESCE(SUM(row_count) FILTER(WHERE
      violating), 0) AS BIGINT) AS outliers,
    COUNT(*) FILTER(WHERE
      violating) AS violating_classes,
    COUNT(*) AS all_classes,
    SUM(CAST(row_count AS DECIMAL(19, 0)) * CAST(row_count AS DECIMAL(19, 0))) FILTER(WHERE
      NOT violating) AS squares,
    SUM(CAST(row_count AS DECIMAL(19, 0)) * CAST(row_count AS DECIMAL(19, 0))) AS all_squares
  FROM classes
  GROUP BY
    class
) AS a
LEFT JOIN lost AS b
  ON a.id = b.id
