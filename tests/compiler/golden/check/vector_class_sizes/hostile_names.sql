/* kanon: class sizes a”b=0, select=1, größe=2, Marital Status=1, t”; drop table patients; --=0 */
WITH satisfying AS (
  SELECT
    COUNT(*) AS row_count
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
    NOT (
      COALESCE(COUNT(DISTINCT s."per""son") < 5, TRUE)
    )
)
SELECT
  row_count AS size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM satisfying
GROUP BY
  row_count
ORDER BY
  size
