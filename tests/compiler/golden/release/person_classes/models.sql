/* kanon: verify the persons in every class */
WITH people AS (
  SELECT
    s."patient_id" AS person,
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1,
    s."diagnosis" AS value_0,
    s."patient_id" AS person,
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
    COUNT(DISTINCT s."patient_id") AS n,
    CAST(SUM(COUNT(DISTINCT s."patient_id")) OVER () AS BIGINT) AS mass,
    (
      SELECT
        COUNT(DISTINCT s."patient_id")
      FROM "warehouse"."main"."patients" AS s
    ) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."diagnosis"
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value,
    e.n,
    e.row_count,
    t.total
  FROM (
    SELECT
      e.qi_0,
      e.qi_1,
      e.value_0 AS value,
      COUNT(DISTINCT e.person) AS n,
      CAST(SUM(e.n) AS BIGINT) AS row_count
    FROM entries AS e
    GROUP BY
      e.qi_0,
      e.qi_1,
      e.value_0
  ) AS e
  LEFT JOIN (
    SELECT
      e.qi_0,
      e.qi_1,
      COUNT(DISTINCT e.person) AS total
    FROM entries AS e
    GROUP BY
      e.qi_0,
      e.qi_1
  ) AS t
    ON e.qi_0 IS NOT DISTINCT FROM t.qi_0 AND e.qi_1 IS NOT DISTINCT FROM t.qi_1
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9, TRUE) AS violating
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
), satisfying AS (
  SELECT
    c.qi_0,
    c.qi_1,
    c.row_count
  FROM classes AS c
  WHERE
    NOT c.violating
), source_classes AS (
  SELECT
    p.qi_0,
    p.qi_1,
    COUNT(*) AS row_count,
    COUNT(DISTINCT p.person) AS persons
  FROM people AS p
  JOIN satisfying AS c
    ON p.qi_0 IS NOT DISTINCT FROM c.qi_0 AND p.qi_1 IS NOT DISTINCT FROM c.qi_1
  GROUP BY
    p.qi_0,
    p.qi_1
), release_classes AS (
  SELECT
    r."age" AS qi_0,
    r."zip" AS qi_1,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients_k5" AS r
  GROUP BY
    r."age",
    r."zip"
)
SELECT
  (
    SELECT
      COUNT(*)
    FROM source_classes AS c
    FULL OUTER JOIN release_classes AS r
      ON c.qi_0 IS NOT DISTINCT FROM r.qi_0 AND c.qi_1 IS NOT DISTINCT FROM r.qi_1
    WHERE
      c.row_count IS DISTINCT FROM r.row_count
  ) AS differing,
  (
    SELECT
      COUNT(DISTINCT p.person)
    FROM people AS p
    JOIN release_classes AS r
      ON p.qi_0 IS NOT DISTINCT FROM r.qi_0 AND p.qi_1 IS NOT DISTINCT FROM r.qi_1
  ) AS persons,
  (
    SELECT
      MIN(persons)
    FROM source_classes
  ) AS smallest
