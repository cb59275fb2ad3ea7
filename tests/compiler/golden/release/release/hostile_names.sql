/* kanon: release a”b=0, select=1, größe=2, Marital Status=1, t”; drop table patients; --=0 */
CREATE TABLE "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS
WITH violating AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    m2."level_2" AS qi_2,
    m3."level_1" AS qi_3,
    m4."level_0" AS qi_4
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
  GROUP BY
    m0."level_0",
    m1."level_1",
    m2."level_2",
    m3."level_1",
    m4."level_0"
  HAVING
    COALESCE(COUNT(DISTINCT s."per""son") < 5, TRUE)
)
SELECT
  m0."level_0" AS "a""b",
  m1."level_1" AS "select",
  m2."level_2" AS "größe",
  m3."level_1" AS "Marital Status",
  m4."level_0" AS "t""; drop table patients; --",
  s."dia""gnosis" AS "dia""gnosis",
  s."from" AS "from",
  s."*/ drop table x; /*" AS "*/ drop table x; /*"
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
ANTI JOIN violating AS c
  ON m0."level_0" IS NOT DISTINCT FROM c.qi_0
  AND m1."level_1" IS NOT DISTINCT FROM c.qi_1
  AND m2."level_2" IS NOT DISTINCT FROM c.qi_2
  AND m3."level_1" IS NOT DISTINCT FROM c.qi_3
  AND m4."level_0" IS NOT DISTINCT FROM c.qi_4
ORDER BY
  HASH(MD5_NUMBER(CONCAT($shuffle_key, CAST(UUID() AS TEXT))))
-- $shuffle_key = "it's secret"
