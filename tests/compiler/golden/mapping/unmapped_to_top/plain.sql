/* kanon: unmapped values of age at the top */
CREATE OR REPLACE TABLE "kanon_map_age" AS
SELECT
  t.ground,
  CAST(t.level_0 AS TEXT) AS level_0,
  t."level_1",
  t."level_2",
  t."level_3"
FROM "kanon_map_age" AS t
UNION ALL
SELECT
  s."age",
  '*',
  '*',
  '*',
  '*'
FROM "warehouse"."main"."patients" AS s
LEFT JOIN "kanon_map_age" AS t
  ON s."age" = t.ground
WHERE
  NOT s."age" IS NULL AND t."level_3" IS NULL
GROUP BY
  s."age"
