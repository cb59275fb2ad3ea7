/* kanon: verify every model in every class */
WITH entries AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    1 AS n
  FROM (
    SELECT
      *,
      '*' AS "age"
    FROM "warehouse"."main"."patients_k5"
  ) AS s
), population AS (
  SELECT
    m0."level_3" AS qi_0,
    m1."level_0" AS qi_1,
    1 AS n
  FROM "warehouse"."main"."census" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(SUM(v.n) < 20, TRUE) AS violating
  FROM (
    SELECT
      e.qi_0,
      e.qi_1,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.qi_0,
      e.qi_1
    UNION ALL
    SELECT
      e.qi_0,
      e.qi_1,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.qi_0,
      e.qi_1
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 2 AS violating
  FROM verdicts AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  HAVING
    SUM(v.row_count) > 0
)
SELECT
  COUNT(*) AS violating
FROM classes
WHERE
  violating
