/* kanon: release age=0, zip=2 */
WITH violating AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_2" AS qi_1
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."ground"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
  GROUP BY
    m0."level_0",
    m1."level_2"
  HAVING
    COALESCE(COUNT(*) < 5, TRUE)
)
SELECT
  m0."level_0" AS "age",
  m1."level_2" AS "zip",
  s."diagnosis" AS "diagnosis"
FROM "warehouse"."main"."patients" AS s
JOIN "kanon_map_age" AS m0
  ON s."age" IS NOT DISTINCT FROM m0."ground"
JOIN "kanon_map_zip" AS m1
  ON s."zip" IS NOT DISTINCT FROM m1."level_0"
ANTI JOIN violating AS c
  ON m0."level_0" IS NOT DISTINCT FROM c.qi_0
  AND m1."level_2" IS NOT DISTINCT FROM c.qi_1
ORDER BY
  HASH(MD5_NUMBER(CONCAT($shuffle_key, CAST(UUID() AS TEXT))))
