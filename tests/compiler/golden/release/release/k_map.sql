/* kanon: release age=1, zip=0 */
WITH entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), population AS (
  SELECT
    m0."level_1" AS qi_0,
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
), violating AS (
  SELECT
    c.qi_0,
    c.qi_1
  FROM classes AS c
  WHERE
    c.violating
)
SELECT
  m0."level_1" AS "age",
  m1."level_0" AS "zip",
  s."diagnosis" AS "diagnosis"
FROM "warehouse"."main"."patients" AS s
JOIN "kanon_map_age" AS m0
  ON s."age" IS NOT DISTINCT FROM m0."level_0"
JOIN "kanon_map_zip" AS m1
  ON s."zip" IS NOT DISTINCT FROM m1."level_0"
ANTI JOIN violating AS c
  ON m0."level_1" IS NOT DISTINCT FROM c.qi_0
  AND m1."level_0" IS NOT DISTINCT FROM c.qi_1
ORDER BY
  HASH(MD5_NUMBER(CONCAT($shuffle_key, CAST(UUID() AS TEXT))))
