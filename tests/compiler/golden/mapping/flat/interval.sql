/* kanon: mapping table of stay */
CREATE TABLE "kanon_map_stay" AS
SELECT
  NORMALIZED_INTERVAL(s."stay") AS level_0,
  '*' AS level_1
FROM "warehouse"."main"."patients" AS s
GROUP BY
  NORMALIZED_INTERVAL(s."stay")
