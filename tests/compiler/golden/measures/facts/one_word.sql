/* kanon: facts of a batch */
WITH masks AS (
  SELECT
    UNNEST(CAST($ids AS BIGINT[])) AS id,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0,
    UNNEST(CAST($level_0 AS BIGINT[])) AS level_0,
    UNNEST(CAST($level_1 AS BIGINT[])) AS level_1
), entries AS NOT MATERIALIZED (
  SELECT
    (
      f.key_0 & m.mask_0
    ) | m.id AS class,
    f.n
  FROM "kanon_frequency" AS f
  CROSS JOIN masks AS m
), classes AS (
  SELECT
    v.class,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.class
), lost AS (
  SELECT
    m.id // 144115188075855872 AS id,
    SUM(CAST(c.row_count AS DECIMAL(19, 0)) * CAST(l0.loss AS DECIMAL(19, 0))) AS lost_0,
    SUM(CAST(c.row_count AS DECIMAL(19, 0)) * CAST(l1.loss AS DECIMAL(19, 0))) AS lost_1
  FROM classes AS c
  JOIN masks AS m
    ON m.id // 144115188075855872 = class // 144115188075855872
  JOIN "kanon_labels_0" AS l0
    ON l0.level = m.level_0 AND l0.code_0 = c.class & CAST(15 AS BIGINT)
  JOIN "kanon_labels_1" AS l1
    ON l1.level = m.level_1 AND l1.code_0 = c.class & CAST(15 AS BIGINT)
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
  b.lost_0,
  b.lost_1
FROM (
  SELECT
    class // 144115188075855872 AS id,
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
    class // 144115188075855872
) AS a
LEFT JOIN lost AS b
  ON a.id = b.id
