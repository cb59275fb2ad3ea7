/* kanon: unmapped values of select at the top */
CREATE OR REPLACE TABLE "kanon_map_select" AS
SELECT
  t.ground,
  CAST(t.level_0 AS TEXT) AS level_0,
  t."level_1",
  t."level_2"
FROM "kanon_map_select" AS t
UNION ALL
SELECT
  s."select",
  '*',
  '*',
  '*'
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
LEFT JOIN "kanon_map_select" AS t
  ON s."select" = t.ground
WHERE
  NOT s."select" IS NULL AND t."level_2" IS NULL
GROUP BY
  s."select"
