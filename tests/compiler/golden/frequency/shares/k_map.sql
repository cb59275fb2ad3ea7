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
), violating AS (
  SELECT
    c.class,
    c.key_0,
    c.key_1
  FROM classes AS c
  WHERE
    c.violating
), gone_0 AS (
  SELECT
    e.class AS id,
    e.value_0 AS value,
    SUM(e.n) AS n
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
    g.n > l.spare) AS exceeding
FROM gone_0 AS g
JOIN "kanon_share_limits_region" AS l
  ON g.value = l.value AND l.spare >= 0
GROUP BY
  g.id
