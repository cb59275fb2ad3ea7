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
), gone_1 AS (
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
    g.n > l.spare) AS exceeding
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
    g.n > l.spare) AS exceeding
FROM gone_1 AS g
JOIN "kanon_share_limits_weight" AS l
  ON g.value = l.value AND l.spare >= 0
GROUP BY
  g.id
