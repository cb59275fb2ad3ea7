COPY (
/* kanon: release age=1, zip=0 */
WITH entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1,
    s."diagnosis" AS value_0,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
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
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE) OR COALESCE(COUNT(v.n) < 3, TRUE) AS violating
  FROM values_0 AS v
  GROUP BY
    v.qi_0,
    v.qi_1
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
) TO 'out.parquet' (
  FORMAT PARQUET
)
-- $shuffle_key = "secret"
