/* kanon: where rows are lost age=1, zip=0 */
WITH entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1,
    s."diagnosis" AS value_0,
    s."severity" AS value_1,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), source_0 AS (
  SELECT
    s."diagnosis" AS ground,
    s."diagnosis" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."diagnosis"
), source_1 AS (
  SELECT
    s."severity" AS ground,
    s."severity" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."severity"
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.value_0
), values_1 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value_1 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.value_1
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE) AS violating
  FROM values_0 AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.qi_0,
      a.qi_1,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.qi_0, a.qi_1) AS mass,
      b.n AS source_n,
      b.mass AS source_mass
    FROM values_0 AS a
    LEFT JOIN source_0 AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(
      SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      c.qi_0,
      c.qi_1,
      c.mass,
      r.weight,
      r.source_upto,
      r.source_mass,
      SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.qi_0, c.qi_1 ORDER BY r.rank ASC) AS upto
    FROM (
      SELECT
        a.qi_0,
        a.qi_1,
        SUM(a.n) AS mass
      FROM values_1 AS a
      GROUP BY
        a.qi_0,
        a.qi_1
    ) AS c
    CROSS JOIN (
      SELECT
        o.value,
        o.mass AS source_mass,
        ROW_NUMBER() OVER (ORDER BY o.place IS NULL ASC, o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY o.place IS NULL ASC, o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CASE CAST(b.ground AS TEXT)
            WHEN 'mild'
            THEN 1
            WHEN 'it''s; bad'
            THEN 2
            WHEN 'the "worst"'
            THEN 3
          END AS place
        FROM source_1 AS b
      ) AS o
    ) AS r
    LEFT JOIN values_1 AS a
      ON a.qi_0 IS NOT DISTINCT FROM c.qi_0
      AND a.qi_1 IS NOT DISTINCT FROM c.qi_1
      AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 3 AS violating
  FROM verdicts AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  HAVING
    SUM(v.row_count) > 0
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
