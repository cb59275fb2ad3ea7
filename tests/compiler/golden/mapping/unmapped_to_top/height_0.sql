/* kanon: unmapped values of country at the top */
CREATE OR REPLACE TABLE "kanon_map_country" AS
SELECT
  t.ground,
  '*' AS level_0
FROM "kanon_map_country" AS t
UNION ALL
SELECT
  s."country",
  '*'
FROM "warehouse"."main"."patients" AS s
LEFT JOIN "kanon_map_country" AS t
  ON s."country" = t.ground
WHERE
  NOT s."country" IS NULL AND t."level_0" IS NULL
GROUP BY
  s."country"
