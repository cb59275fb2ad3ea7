/* kanon: check age=1, zip=0 */
WITH entries AS (
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
      WHERE
        NOT s."diagnosis" IS NULL
    ) AS total
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT s."diagnosis" IS NULL
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
      CASE WHEN NOT e.value_0 IS NULL THEN COUNT(DISTINCT e.person) END AS n,
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
    WHERE
      NOT e.value_0 IS NULL
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
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS sure,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS general
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(COUNT(v.n) < 3, TRUE) AS violating,
    COALESCE(COUNT(v.n) < 3, TRUE) AS sure,
    COALESCE(COUNT(v.n) < 3, TRUE) AS general
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
      COUNT(v.source_n) < COUNT(v.n)
      OR MAX(v.n / v.source_n * v.source_total) / MAX(v.total) - 1 > 2 + 1e-9,
      TRUE
    ) AS violating,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
      TRUE
    ) AS sure,
    COALESCE(
      SUM(v.source_n / v.source_total) FILTER(WHERE
        NOT v.n IS NULL) < 0.3333333333333333 - 1e-6,
      TRUE
    ) AS general
  FROM (
    SELECT
      a.*,
      b.n AS source_n,
      b.mass AS source_mass,
      b.total AS source_total
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
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 3 AS violating,
    BOOL_OR(CAST(v.sure AS BOOLEAN)) AS sure,
    BOOL_OR(CAST(v.general AS BOOLEAN)) AS general
  FROM verdicts AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  HAVING
    SUM(v.row_count) > 0
)
SELECT
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    violating), 0) AS BIGINT) AS outliers,
  COUNT(*) FILTER(WHERE
    violating) AS violating_classes,
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    sure), 0) AS BIGINT) AS sure_outliers,
  COUNT(*) FILTER(WHERE
    general) AS general_classes
FROM classes
