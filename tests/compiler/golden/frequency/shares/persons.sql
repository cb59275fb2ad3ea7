/* kanon: shares of a batch */
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
), violating AS (
  SELECT
    c.class
  FROM classes AS c
  WHERE
    c.violating
), gone_0 AS (
  SELECT
    e.class // 144115188075855872 AS id,
    e.value_0 AS value,
    SUM(e.n) AS n
  FROM (
    SELECT
      (
        f.key_0 & m.mask_0
      ) | m.id AS class,
      f.value_0,
      f.n
    FROM "kanon_share_entries_region" AS f
    CROSS JOIN masks AS m
  ) AS e
  JOIN violating AS c
    ON c.class IS NOT DISTINCT FROM e.class
  GROUP BY
    e.class // 144115188075855872,
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
