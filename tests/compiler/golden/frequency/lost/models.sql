/* kanon: where rows are lost age=1, zip=0 */
WITH entries AS NOT MATERIALIZED (
  SELECT
    "f".key_0 & CAST(60 AS BIGINT) AS key_0,
    f.value_0,
    f.value_1,
    f.n
  FROM "kanon_frequency" AS f
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
), verdicts AS (
  SELECT
    v.key_0,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE)
    OR COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE) AS violating
  FROM values_0 AS v
  GROUP BY
    v.key_0
  UNION ALL
  SELECT
    v.key_0,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.key_0,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.key_0) AS mass,
      b.n AS source_n,
      b.mass AS source_mass
    FROM values_0 AS a
    LEFT JOIN "kanon_values_diagnosis" AS b
      ON a.value IS NOT DISTINCT FROM b.value
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
        FROM "kanon_values_severity" AS b
      ) AS o
    ) AS r
    LEFT JOIN values_1 AS a
      ON a.key_0 IS NOT DISTINCT FROM c.key_0 AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.key_0
), classes AS (
  SELECT
    v.key_0,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 3 AS violating
  FROM verdicts AS v
  GROUP BY
    v.key_0
  HAVING
    SUM(v.row_count) > 0
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
    MIN(CAST(g."level_0" AS TEXT)) AS value
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
