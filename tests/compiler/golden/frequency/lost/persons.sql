/* kanon: where rows are lost age=1, zip=2 */
WITH entries AS NOT MATERIALIZED (
  SELECT
    "f".key_0 & CAST(60 AS BIGINT) AS key_0,
    f.person,
    f.n
  FROM "kanon_frequency" AS f
), classes AS (
  SELECT
    v.key_0,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.key_0
), labels_0 AS (
  SELECT
    c.code_0 & CAST(12 AS BIGINT) AS code_0,
    MIN(CAST(g."level_1" AS TEXT)) AS value
  FROM "kanon_codes_age" AS c
  JOIN "kanon_map_age" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(12 AS BIGINT)
), labels_1 AS (
  SELECT
    c.code_0 & CAST(48 AS BIGINT) AS code_0,
    MIN(CAST(g."level_2" AS TEXT)) AS value
  FROM "kanon_codes_zip" AS c
  JOIN "kanon_map_zip" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(48 AS BIGINT)
), found AS (
  SELECT
    0 AS qi,
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(12 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(12 AS BIGINT)
  ) AS c
  JOIN labels_0 AS l
    ON c.key_0 = l.code_0
  UNION ALL
  SELECT
    1 AS qi,
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(48 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(48 AS BIGINT)
  ) AS c
  JOIN labels_1 AS l
    ON c.key_0 = l.code_0
), leaving AS MATERIALIZED (
  SELECT
    e.*
  FROM entries AS e
  JOIN classes AS c
    ON c.violating AND e.key_0 IS NOT DISTINCT FROM c.key_0
), gone AS (
  SELECT
    0 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_0 AS l
    ON c.key_0 & CAST(12 AS BIGINT) = l.code_0
  UNION ALL
  SELECT
    1 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_1 AS l
    ON c.key_0 & CAST(48 AS BIGINT) = l.code_0
), counted AS (
  SELECT
    f.qi,
    f.value,
    f.absent,
    CAST(SUM(f.row_count) AS BIGINT) AS row_count,
    CAST(COALESCE(SUM(f.suppressed), 0) AS BIGINT) AS suppressed
  FROM (
    SELECT
      e.qi,
      e.value,
      FALSE AS absent,
      e.row_count,
      e.suppressed
    FROM found AS e
  ) AS f
  GROUP BY
    f.qi,
    f.value,
    f.absent
), counted_persons AS (
  SELECT
    p.qi,
    p.value,
    p.absent,
    COUNT(*) AS persons
  FROM (
    SELECT
      g.qi,
      MIN(g.value) AS value,
      MIN(g.value) IS NULL AND BOOL_OR(CAST(g.absent AS BOOLEAN)) AS absent
    FROM (
      SELECT
        e.qi,
        e.value,
        FALSE AS absent,
        e.person
      FROM gone AS e
    ) AS g
    GROUP BY
      g.qi,
      g.person
  ) AS p
  GROUP BY
    p.qi,
    p.value,
    p.absent
), judged AS (
  SELECT
    c.*,
    COALESCE(p.persons, 0) AS persons,
    c.row_count >= $least
    AND (
      c.suppressed = 0
      OR (
        c.suppressed >= $least AND COALESCE(p.persons, 0) >= $least
      )
    ) AS is_large
  FROM counted AS c
  LEFT JOIN counted_persons AS p
    ON c.qi = p.qi AND c.absent = p.absent AND c.value IS NOT DISTINCT FROM p.value
), ranked AS (
  SELECT
    j.*,
    j.is_large
    AND ROW_NUMBER() OVER (
      PARTITION BY j.qi
      ORDER BY j.is_large DESC, CAST(j.suppressed AS DOUBLE) / j.row_count DESC, j.suppressed DESC, j.row_count DESC, j.absent, j.value
    ) <= $most AS own
  FROM judged AS j
)
SELECT
  r.qi,
  r.own,
  CASE WHEN r.own THEN r.value END AS value,
  r.own AND r.absent AS absent,
  COUNT(*) AS value_count,
  COUNT(*) FILTER(WHERE
    r.suppressed > 0) AS losing,
  CAST(SUM(r.row_count) AS BIGINT) AS row_count,
  CAST(SUM(r.suppressed) AS BIGINT) AS suppressed,
  CAST(SUM(r.persons) AS BIGINT) AS persons
FROM ranked AS r
GROUP BY
  r.qi,
  r.own,
  CASE WHEN r.own THEN r.value END,
  r.own AND r.absent
-- $least = 5
-- $most = 200
