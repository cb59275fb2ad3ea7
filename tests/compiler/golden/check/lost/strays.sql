/* kanon: where rows are lost age=0, zip=1 */
WITH entries AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
), stray_rows AS MATERIALIZED (
  SELECT
    CAST(m0."level_0" AS TEXT) AS value_0,
    m0."level_3" IS NULL AS absent_0,
    CAST(m1."level_1" AS TEXT) AS value_1,
    m1."level_2" IS NULL AS absent_1
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  LEFT JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
  WHERE
    m0."level_3" IS NULL OR m1."level_2" IS NULL
), found AS (
  SELECT
    0 AS qi,
    CAST(c.qi_0 AS TEXT) AS value,
    SUM(c.row_count) AS row_count,
    SUM(c.row_count) FILTER(WHERE
      c.violating) AS suppressed
  FROM classes AS c
  GROUP BY
    c.qi_0
  UNION ALL
  SELECT
    1 AS qi,
    CAST(c.qi_1 AS TEXT) AS value,
    SUM(c.row_count) AS row_count,
    SUM(c.row_count) FILTER(WHERE
      c.violating) AS suppressed
  FROM classes AS c
  GROUP BY
    c.qi_1
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
    UNION ALL
    SELECT
      0,
      e.value_0,
      e.absent_0,
      COUNT(*),
      COUNT(*)
    FROM stray_rows AS e
    GROUP BY
      e.value_0,
      e.absent_0
    UNION ALL
    SELECT
      1,
      e.value_1,
      e.absent_1,
      COUNT(*),
      COUNT(*)
    FROM stray_rows AS e
    GROUP BY
      e.value_1,
      e.absent_1
  ) AS f
  GROUP BY
    f.qi,
    f.value,
    f.absent
), judged AS (
  SELECT
    c.*,
    CAST(NULL AS BIGINT) AS persons,
    c.row_count >= $least AND (
      c.suppressed = 0 OR c.suppressed >= $least
    ) AS is_large
  FROM counted AS c
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
