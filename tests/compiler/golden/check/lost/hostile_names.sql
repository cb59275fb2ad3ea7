/* kanon: where rows are lost a”b=0, select=1, größe=2, Marital Status=1, t”; drop table patients; --=0 */
WITH entries AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    m2."level_2" AS qi_2,
    m3."level_1" AS qi_3,
    m4."level_0" AS qi_4,
    s."per""son" AS person,
    1 AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  JOIN "kanon_map_a""b" AS m0
    ON s."a""b" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_select" AS m1
    ON s."select" IS NOT DISTINCT FROM m1."level_0"
  JOIN "kanon_map_größe" AS m2
    ON s."größe" IS NOT DISTINCT FROM m2."level_0"
  JOIN "kanon_map_Marital Status" AS m3
    ON s."Marital Status" IS NOT DISTINCT FROM m3."level_0"
  JOIN "kanon_map_t""; drop table patients; --" AS m4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM m4."level_0"
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
), stray_rows AS MATERIALIZED (
  SELECT
    CAST(m0."level_0" AS TEXT) AS value_0,
    m0."level_2" IS NULL AS absent_0,
    CAST(m1."level_1" AS TEXT) AS value_1,
    m1."level_2" IS NULL AS absent_1,
    CAST(m2."level_2" AS TEXT) AS value_2,
    m2."level_2" IS NULL AS absent_2,
    CAST(m3."level_1" AS TEXT) AS value_3,
    m3."level_2" IS NULL AS absent_3,
    CAST(m4."level_0" AS TEXT) AS value_4,
    m4."level_2" IS NULL AS absent_4,
    s."per""son" AS person
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  LEFT JOIN "kanon_map_a""b" AS m0
    ON s."a""b" IS NOT DISTINCT FROM m0."level_0"
  LEFT JOIN "kanon_map_select" AS m1
    ON s."select" IS NOT DISTINCT FROM m1."level_0"
  LEFT JOIN "kanon_map_größe" AS m2
    ON s."größe" IS NOT DISTINCT FROM m2."level_0"
  LEFT JOIN "kanon_map_Marital Status" AS m3
    ON s."Marital Status" IS NOT DISTINCT FROM m3."level_0"
  LEFT JOIN "kanon_map_t""; drop table patients; --" AS m4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM m4."level_0"
  WHERE
    m0."level_2" IS NULL
    OR m1."level_2" IS NULL
    OR m2."level_2" IS NULL
    OR m3."level_2" IS NULL
    OR m4."level_2" IS NULL
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
  UNION ALL
  SELECT
    2 AS qi,
    CAST(c.qi_2 AS TEXT) AS value,
    SUM(c.row_count) AS row_count,
    SUM(c.row_count) FILTER(WHERE
      c.violating) AS suppressed
  FROM classes AS c
  GROUP BY
    c.qi_2
  UNION ALL
  SELECT
    3 AS qi,
    CAST(c.qi_3 AS TEXT) AS value,
    SUM(c.row_count) AS row_count,
    SUM(c.row_count) FILTER(WHERE
      c.violating) AS suppressed
  FROM classes AS c
  GROUP BY
    c.qi_3
  UNION ALL
  SELECT
    4 AS qi,
    CAST(c.qi_4 AS TEXT) AS value,
    SUM(c.row_count) AS row_count,
    SUM(c.row_count) FILTER(WHERE
      c.violating) AS suppressed
  FROM classes AS c
  GROUP BY
    c.qi_4
), leaving AS MATERIALIZED (
  SELECT
    e.*
  FROM entries AS e
  JOIN classes AS c
    ON c.violating
    AND e.qi_0 IS NOT DISTINCT FROM c.qi_0
    AND e.qi_1 IS NOT DISTINCT FROM c.qi_1
    AND e.qi_2 IS NOT DISTINCT FROM c.qi_2
    AND e.qi_3 IS NOT DISTINCT FROM c.qi_3
    AND e.qi_4 IS NOT DISTINCT FROM c.qi_4
), gone AS (
  SELECT
    0 AS qi,
    CAST(e.qi_0 AS TEXT) AS value,
    e.person
  FROM leaving AS e
  UNION ALL
  SELECT
    1 AS qi,
    CAST(e.qi_1 AS TEXT) AS value,
    e.person
  FROM leaving AS e
  UNION ALL
  SELECT
    2 AS qi,
    CAST(e.qi_2 AS TEXT) AS value,
    e.person
  FROM leaving AS e
  UNION ALL
  SELECT
    3 AS qi,
    CAST(e.qi_3 AS TEXT) AS value,
    e.person
  FROM leaving AS e
  UNION ALL
  SELECT
    4 AS qi,
    CAST(e.qi_4 AS TEXT) AS value,
    e.person
  FROM leaving AS e
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
    UNION ALL
    SELECT
      2,
      e.value_2,
      e.absent_2,
      COUNT(*),
      COUNT(*)
    FROM stray_rows AS e
    GROUP BY
      e.value_2,
      e.absent_2
    UNION ALL
    SELECT
      3,
      e.value_3,
      e.absent_3,
      COUNT(*),
      COUNT(*)
    FROM stray_rows AS e
    GROUP BY
      e.value_3,
      e.absent_3
    UNION ALL
    SELECT
      4,
      e.value_4,
      e.absent_4,
      COUNT(*),
      COUNT(*)
    FROM stray_rows AS e
    GROUP BY
      e.value_4,
      e.absent_4
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
      UNION ALL
      SELECT
        0,
        e.value_0,
        e.absent_0,
        e.person
      FROM stray_rows AS e
      UNION ALL
      SELECT
        1,
        e.value_1,
        e.absent_1,
        e.person
      FROM stray_rows AS e
      UNION ALL
      SELECT
        2,
        e.value_2,
        e.absent_2,
        e.person
      FROM stray_rows AS e
      UNION ALL
      SELECT
        3,
        e.value_3,
        e.absent_3,
        e.person
      FROM stray_rows AS e
      UNION ALL
      SELECT
        4,
        e.value_4,
        e.absent_4,
        e.person
      FROM stray_rows AS e
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
