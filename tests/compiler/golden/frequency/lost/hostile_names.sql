/* kanon: where rows are lost a”b=0, select=1, größe=2, Marital Status=1, t”; drop table patients; --=0 */
WITH entries AS NOT MATERIALIZED (
  SELECT
    "f".key_0 & CAST(31 AS BIGINT) AS key_0,
    f.value_0,
    f.value_1,
    f.value_2,
    f.person,
    f.n
  FROM "fre""quency" AS f
), population AS NOT MATERIALIZED (
  SELECT
    "p".key_0 & CAST(31 AS BIGINT) AS key_0,
    p.n
  FROM "popu""lation" AS p
), values_0 AS (
  SELECT
    e.key_0,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.key_0,
    e.value_0
), values_1 AS (
  SELECT
    e.key_0,
    e.value_1 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.key_0,
    e.value_1
), values_2 AS (
  SELECT
    e.key_0,
    e.value_2 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.key_0,
    e.value_2
), verdicts AS (
  SELECT
    v.key_0,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.key_0
  UNION ALL
  SELECT
    v.key_0,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.key_0,
      SUM(a.n) AS n,
      MAX(a.mass) AS mass,
      MAX(k.source_n) AS source_n,
      MAX(k.source_mass) AS source_mass,
      1 AS levels
    FROM (
      SELECT
        a.key_0,
        a.value,
        a.n,
        SUM(a.n) OVER (PARTITION BY a.key_0) AS mass
      FROM values_0 AS a
    ) AS a
    LEFT JOIN (
      SELECT
        b.value,
        t."level_0" AS node,
        b.mass AS source_mass,
        SUM(b.n) OVER (PARTITION BY t."level_0") AS source_n
      FROM "kanon_values_dia""gnosis" AS b
      JOIN "tax""; --" AS t
        ON b.ground IS NOT DISTINCT FROM t."level_0"
    ) AS k
      ON a.value IS NOT DISTINCT FROM k.value
    GROUP BY
      a.key_0,
      k.node
  ) AS v
  GROUP BY
    v.key_0
  UNION ALL
  SELECT
    v.key_0,
    0 AS row_count,
    COALESCE(
      SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      c.key_0,
      c.mass,
      r.weight,
      r.source_upto,
      r.source_mass,
      SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.key_0 ORDER BY r.rank ASC) AS upto
    FROM (
      SELECT
        a.key_0,
        SUM(a.n) AS mass
      FROM values_1 AS a
      GROUP BY
        a.key_0
    ) AS c
    CROSS JOIN (
      SELECT
        o.value,
        o.mass AS source_mass,
        ROW_NUMBER() OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CASE CAST(b.ground AS TEXT)
            WHEN 'a"b'
            THEN 1
            WHEN 'select'
            THEN 2
            WHEN 'größe'
            THEN 3
            WHEN 'Marital Status'
            THEN 4
            WHEN 't"; drop table patients; --'
            THEN 5
          END AS place
        FROM "kanon_values_from" AS b
      ) AS o
    ) AS r
    LEFT JOIN values_1 AS a
      ON a.key_0 IS NOT DISTINCT FROM c.key_0 AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.key_0
  UNION ALL
  SELECT
    v.key_0,
    0 AS row_count,
    COALESCE(
      COUNT(v.n) = 0
      OR COALESCE(MAX(v.n / NULLIF(v.largest, 0)), 0) / SUM(v.n) > 1 + 1e-9
      OR BOOL_OR(CAST(COALESCE(v.largest = 0 AND NOT v.n IS NULL, FALSE) AS BOOLEAN)),
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.*,
      CASE CAST(b.ground AS TEXT)
        WHEN 'HIV'
        THEN 0.2
        WHEN 'it''s */ drop table x; --'
        THEN 0
      END AS largest
    FROM values_2 AS a
    LEFT JOIN "kanon_values_*/ drop table x; /*" AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.key_0
  UNION ALL
  SELECT
    v.key_0,
    0 AS row_count,
    COALESCE(SUM(v.n) < 9, TRUE) AS violating
  FROM (
    SELECT
      e.key_0,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.key_0
    UNION ALL
    SELECT
      e.key_0,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.key_0
  ) AS v
  GROUP BY
    v.key_0
), classes AS (
  SELECT
    v.key_0,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 5 AS violating
  FROM verdicts AS v
  GROUP BY
    v.key_0
  HAVING
    SUM(v.row_count) > 0
), labels_0 AS (
  SELECT
    c.code_0 & CAST(1 AS BIGINT) AS code_0,
    MIN(CAST(g."level_0" AS TEXT)) AS value
  FROM "kanon_codes_a""b" AS c
  JOIN "kanon_map_a""b" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(1 AS BIGINT)
), labels_1 AS (
  SELECT
    c.code_0 & CAST(2 AS BIGINT) AS code_0,
    MIN(CAST(g."level_1" AS TEXT)) AS value
  FROM "kanon_codes_select" AS c
  JOIN "kanon_map_select" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(2 AS BIGINT)
), labels_2 AS (
  SELECT
    c.code_0 & CAST(4 AS BIGINT) AS code_0,
    MIN(CAST(g."level_2" AS TEXT)) AS value
  FROM "kanon_codes_größe" AS c
  JOIN "kanon_map_größe" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(4 AS BIGINT)
), labels_3 AS (
  SELECT
    c.code_0 & CAST(8 AS BIGINT) AS code_0,
    MIN(CAST(g."level_1" AS TEXT)) AS value
  FROM "kanon_codes_Marital Status" AS c
  JOIN "kanon_map_Marital Status" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(8 AS BIGINT)
), labels_4 AS (
  SELECT
    c.code_0 & CAST(16 AS BIGINT) AS code_0,
    MIN(CAST(g."level_0" AS TEXT)) AS value
  FROM "kanon_codes_t""; drop table patients; --" AS c
  JOIN "kanon_map_t""; drop table patients; --" AS g
    ON c.ground IS NOT DISTINCT FROM g."level_0"
  GROUP BY
    c.code_0 & CAST(16 AS BIGINT)
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
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(1 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(1 AS BIGINT)
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
      d.key_0 & CAST(2 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(2 AS BIGINT)
  ) AS c
  JOIN labels_1 AS l
    ON c.key_0 = l.code_0
  UNION ALL
  SELECT
    2 AS qi,
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(4 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(4 AS BIGINT)
  ) AS c
  JOIN labels_2 AS l
    ON c.key_0 = l.code_0
  UNION ALL
  SELECT
    3 AS qi,
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(8 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(8 AS BIGINT)
  ) AS c
  JOIN labels_3 AS l
    ON c.key_0 = l.code_0
  UNION ALL
  SELECT
    4 AS qi,
    l.value,
    c.row_count,
    c.suppressed
  FROM (
    SELECT
      d.key_0 & CAST(16 AS BIGINT) AS key_0,
      SUM(d.row_count) AS row_count,
      SUM(d.row_count) FILTER(WHERE
        d.violating) AS suppressed
    FROM classes AS d
    GROUP BY
      d.key_0 & CAST(16 AS BIGINT)
  ) AS c
  JOIN labels_4 AS l
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
    ON c.key_0 & CAST(1 AS BIGINT) = l.code_0
  UNION ALL
  SELECT
    1 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_1 AS l
    ON c.key_0 & CAST(2 AS BIGINT) = l.code_0
  UNION ALL
  SELECT
    2 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_2 AS l
    ON c.key_0 & CAST(4 AS BIGINT) = l.code_0
  UNION ALL
  SELECT
    3 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_3 AS l
    ON c.key_0 & CAST(8 AS BIGINT) = l.code_0
  UNION ALL
  SELECT
    4 AS qi,
    l.value,
    c.person
  FROM "leaving" AS c
  JOIN labels_4 AS l
    ON c.key_0 & CAST(16 AS BIGINT) = l.code_0
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
